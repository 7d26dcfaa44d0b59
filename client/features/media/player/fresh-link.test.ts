import { describe, expect, test } from 'vitest'
import { freshLink } from './fresh-link.ts'

/** 1 January 2027 in milliseconds, and a link made four to five minutes before its end. */
const NOW = 1_798_761_600_000
const link = (ends: number, signature = 'first') =>
  `/files/media/1/${(NOW + ends) / 1000}.${signature}/hls.m3u8`

function source(first: string) {
  let asked = 0
  const renew = async () => {
    asked += 1
    return link(600_000, `new-${asked}`)
  }
  return { ...freshLink(first, renew, NOW), asked: () => asked }
}

describe('a link', () => {
  test('is used while it is young, and replaced long before it ends', async () => {
    const source_ = source(link(240_000))
    expect(await source_.get(0)).toContain('.first/')
    expect(await source_.get(119_000)).toContain('.first/')
    expect(await source_.get(121_000)).toContain('.new-1/')
    expect(await source_.get(240_000)).toContain('.new-1/')
    expect(await source_.get(242_000)).toContain('.new-2/')
  })

  test('that is nearly over is not started with', async () => {
    const source_ = source(link(30_000))
    expect(await source_.get(0)).toContain('.new-1/')
  })

  test('that was refused is replaced once, however many wait for the new one', async () => {
    const source_ = source(link(240_000))
    await source_.get(0)
    source_.refused()
    const links = await Promise.all([source_.get(1_000), source_.get(1_000), source_.get(1_000)])
    expect(new Set(links)).toEqual(new Set([link(600_000, 'new-1')]))
    expect(source_.asked()).toBe(1)
  })

  test('that could not be replaced is asked for again the next time', async () => {
    let fails = true
    const source_ = freshLink(
      link(0),
      async () => {
        if (fails) throw new Error('unreachable')
        return link(600_000, 'new')
      },
      NOW,
    )
    await expect(source_.get(0)).rejects.toThrow('unreachable')
    fails = false
    expect(await source_.get(1)).toContain('.new/')
  })
})
