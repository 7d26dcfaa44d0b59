import { expect, test } from 'vitest'
import { createByteCache } from './byte-cache.ts'

const at = (ms: number) => new Date(ms)

/** A cache of 100 bytes and 1,000 ms, and how often each thing was made. */
function start() {
  const cache = createByteCache({ maxBytes: 100, keptMs: 1000 })
  const made: string[] = []
  const get = async (key: string, now: number, bytes = 40) =>
    (
      await cache.get(key, at(now), async () => {
        made.push(key)
        return Buffer.from(key.padEnd(bytes))
      })
    )
      .toString()
      .trim()
  return { cache, made, get }
}

test('makes once, for its time', async () => {
  const { made, get } = start()
  expect(await get('a', 0)).toBe('a')
  expect(await get('a', 999)).toBe('a')
  expect(made).toEqual(['a'])
  await get('a', 1000)
  expect(made).toEqual(['a', 'a'])
})

test('makes once for all who ask at once', async () => {
  const { made, get } = start()
  await Promise.all([get('a', 0), get('a', 0), get('a', 0)])
  expect(made).toEqual(['a'])
})

test('keeps no more than its bytes, those that were used last', async () => {
  const { made, get } = start()
  for (const key of ['a', 'b', 'c']) await get(key, 0)
  await get('c', 1)
  await get('b', 1)
  expect(made).toEqual(['a', 'b', 'c'])
  await get('a', 1)
  expect(made).toEqual(['a', 'b', 'c', 'a'])
  await get('huge', 2, 101)
  await get('huge', 2, 101)
  expect(made.slice(4)).toEqual(['huge', 'huge'])
})

test('keeps no failure', async () => {
  const { cache, get } = start()
  const failing = () => Promise.reject(new Error('not now'))
  await expect(cache.get('a', at(0), failing)).rejects.toThrow('not now')
  expect(await get('a', 0)).toBe('a')
})
