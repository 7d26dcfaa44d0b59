import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { mediaProcessor } from './adapter.ts'
import { markedPicture } from './testing/pictures.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const colors = ['#e01414', '#14b414', '#1414e0']
let video = ''

/** A video of ours that is red, green and blue for a second each. */
beforeAll(async () => {
  const pictures = colors.map((background) =>
    sharp({ create: { width: 700, height: 400, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  const animation = await sharp(await Promise.all(pictures), { join: { animated: true } })
    .webp({ delay: [1000, 1000, 1000], lossless: true })
    .toBuffer()
  const { outDir } = await bench.process(await bench.upload('colors.webp', animation))
  video = join(outDir, 'video.mp4')
})

async function posterAt(seconds: number, path = video) {
  const outDir = await bench.emptyFolder()
  const processor = mediaProcessor({})
  const outcome = await processor.poster({ path, seconds, outDir })
  await processor.close()
  if (!outcome.ok) return { ...outcome, outDir }
  const shown = await sharp(outcome.variants[0]?.path).stats()
  return {
    ...outcome,
    outDir,
    color: ['red', 'green', 'blue'][indexOfLargest(shown.channels.map(({ mean }) => mean))],
  }
}

const indexOfLargest = (values: number[]) => values.indexOf(Math.max(...values))

describe('a poster', () => {
  test.each([
    [0, 'red'],
    [0.97, 'red'],
    [1.5, 'green'],
    [2.5, 'blue'],
    [3600, 'blue'],
    [-5, 'red'],
  ])('of second %d shows what the video shows then: %s', async (seconds, color) => {
    const poster = await posterAt(seconds)
    expect(poster).toMatchObject({ ok: true, color })
  })

  test('comes as AVIF and WebP under names that no other call gives', async () => {
    const posters = [await posterAt(1), await posterAt(1)]
    const names = posters.map((poster) => (poster.ok ? poster.variants.map(({ name }) => name) : []))
    const prefix = names.map((list) => /^poster-[0-9a-f]{8}/.exec(list[0] ?? '')?.[0] ?? '')
    expect(prefix[0]).not.toBe(prefix[1])
    for (const [index, list] of names.entries())
      expect(list).toEqual(
        ['w640.avif', 'w640.webp', 'w700.avif', 'w700.webp'].map((name) => `${prefix[index]}-${name}`),
      )
    for (const poster of posters) {
      if (!poster.ok) continue
      expect(Buffer.from(poster.thumbhash, 'base64').length).toBeLessThan(30)
      for (const variant of poster.variants) {
        const { exif, xmp, icc, width, height } = await sharp(await readFile(variant.path)).metadata()
        expect({ exif, xmp, icc, width, height }).toEqual({ width: variant.width, height: variant.height })
      }
    }
  })

  test('of a picture or of a broken file is refused and leaves nothing', async () => {
    const picture = await bench.upload('still.png', await markedPicture(64, 64).png().toBuffer())
    const broken = await bench.upload('broken.mp4', (await readFile(video)).subarray(0, 900))
    for (const [path, refusal] of [
      [picture, 'media_type_unsupported'],
      [broken, 'media_unreadable'],
    ] as const) {
      const { outDir, ...outcome } = await posterAt(0, path)
      expect(outcome).toEqual({ ok: false, refusal })
      await expect(readFile(join(outDir, 'poster'))).rejects.toThrow('ENOENT')
    }
  })
})
