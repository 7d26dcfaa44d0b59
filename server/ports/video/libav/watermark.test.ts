import { Readable } from 'node:stream'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { WatermarkFormat } from '../port.ts'
import { mediaProcessor } from './adapter.ts'

const processor = mediaProcessor({})
const flat = (background: string, size = { width: 800, height: 600 }) =>
  sharp({ create: { ...size, channels: 3, background } })
const webp = (background: string) => flat(background).webp({ quality: 78 }).toBuffer()
const mark = (picture: Buffer, text: string, mime: WatermarkFormat = 'image/webp') =>
  processor.watermark({ picture, text, mime })

/** Of each quarter of a picture: how many of its pixels differ from `gray` by more than compression changes them. */
async function markedShares(picture: Buffer, gray: number): Promise<number[]> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  const counts = [0, 0, 0, 0]
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      const quarter = 2 * Number(y >= info.height / 2) + Number(x >= info.width / 2)
      const value = data[(y * info.width + x) * info.channels] ?? 0
      if (Math.abs(value - gray) > 12) counts[quarter] = (counts[quarter] ?? 0) + 1
    }
  }
  return counts.map((count) => (4 * count) / (info.width * info.height))
}

describe('a watermark', () => {
  test.each([
    ['black', '#000000', 0],
    ['gray', '#808080', 128],
    ['white', '#ffffff', 255],
  ])('is seen in one corner of a %s picture alone, and hides nearly nothing', async (_, color, gray) => {
    const before = await webp(color)
    expect(Math.max(...(await markedShares(before, gray)))).toBe(0)
    const [upperLeft, upperRight, lowerLeft, corner] = await markedShares(await mark(before, '@finn'), gray)
    expect([upperLeft, upperRight, lowerLeft]).toEqual([0, 0, 0])
    expect(corner).toBeGreaterThan(0.001)
    expect(corner).toBeLessThan(0.02)
  })

  test('covers less than a hundredth of a picture, and lets through what is behind it', async () => {
    const { data } = await sharp(await mark(await webp('#808080'), '@a-name-of-thirty-letters-in-all'))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const moved = [...data].map((value) => Math.abs(value - 128))
    expect(moved.reduce((most, by) => Math.max(most, by), 0)).toBeLessThan(64)
    expect(moved.filter((by) => by > 12).length / moved.length).toBeLessThan(0.01)
  })

  test.each(['image/webp', 'image/avif'] as const)('keeps size and format of %s', async (mime) => {
    const size = { width: 501, height: 333 }
    const format = mime === 'image/avif' ? 'avif' : 'webp'
    const picture = await flat('#404040', size).toFormat(format).toBuffer()
    const marked = await mark(picture, '@finn', mime)
    const { format: made, exif, xmp, icc, ...found } = await sharp(marked).metadata()
    expect(found).toMatchObject(size)
    expect({ made, exif, xmp, icc }).toEqual({ made: format === 'avif' ? 'heif' : 'webp' })
    expect((await markedShares(marked, 64)).at(-1)).toBeGreaterThan(0)
  })

  test('differs from person to person and from picture to picture is the same', async () => {
    const picture = await webp('#808080')
    const [one, again, other] = await Promise.all(
      ['@finn', '@finn', '@fins'].map((text) => mark(picture, text)),
    )
    expect(one?.equals(again ?? Buffer.alloc(0))).toBe(true)
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(false)
  })

  test.each([
    ['</text><image href="http://localhost/canary"/>@finn', '/textimagehrefhttp//localhost/canary/@finn'],
    ['&lt;b&#62;@finn\u0000\n\u202e', 'ltb62@finn'],
    ['<span foreground="red">@finn</span>', 'spanforegroundred@finn/span'],
    ['__proto__constructor', '__proto__constructor'],
    [`@${'x'.repeat(100_000)}`, `@${'x'.repeat(39)}`],
    ['日本語', ''],
  ])('draws %j as its plain characters', async (text, plain) => {
    const picture = await webp('#808080')
    expect((await mark(picture, text)).equals(await mark(picture, plain))).toBe(true)
  })

  test('is laid over pictures smaller than itself, taller than wide, and transparent', async () => {
    for (const size of [
      { width: 32, height: 32 },
      { width: 40, height: 2000 },
    ]) {
      const marked = await mark(await flat('#808080', size).webp().toBuffer(), '@a-rather-long-name')
      expect(await sharp(marked).metadata()).toMatchObject(size)
    }
    const clear = sharp({ create: { width: 300, height: 300, channels: 4, background: '#00000000' } })
    const { data } = await sharp(await mark(await clear.webp({ lossless: true }).toBuffer(), '@finn'))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data.filter((_, index) => index % 4 === 3).every((alpha) => alpha === 0)).toBe(true)
  })

  test('takes a stream, and many at once', async () => {
    const picture = await webp('#808080')
    const expected = await mark(picture, '@finn')
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        processor.watermark({ picture: Readable.from([picture]), text: '@finn', mime: 'image/webp' }),
      ),
    )
    expect(made.every((marked) => marked.equals(expected))).toBe(true)
  })

  test('rejects what is no picture of that format, and works no more once closed', async () => {
    const picture = await webp('#808080')
    await expect(mark(picture, '@finn', 'image/avif')).rejects.toThrow('is image/webp')
    await expect(mark(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '@finn')).rejects.toThrow()
    await expect(mark(picture.subarray(0, 60), '@finn')).rejects.toThrow()
    const closed = mediaProcessor({})
    await closed.close()
    await expect(closed.watermark({ picture, text: '@finn', mime: 'image/webp' })).rejects.toThrow('stopped')
  })
})
