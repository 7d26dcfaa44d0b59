import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { thumbHashToRGBA } from 'thumbhash'
import { describe, expect, test } from 'vitest'
import { corners, markedPicture, orientedJpeg, readCorners } from './testing/pictures.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()

/** Processes a picture that must be taken. */
async function take(name: string, bytes: Buffer) {
  const result = await bench.process(await bench.upload(name, bytes))
  if (!result.outcome.ok) throw new Error(`refused: ${result.outcome.refusal}`)
  return { ...result, media: result.outcome.media }
}

const namesOf = (widths: number[]) => widths.flatMap((width) => [`w${width}.avif`, `w${width}.webp`])

async function cornersOf(path: string) {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  return readCorners(data, info.width, info.height, info.channels)
}

describe('a picture', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'with EXIF orientation %i arrives upright and without metadata',
    async (orientation) => {
      const original = await orientedJpeg(orientation, 720, 480)
      expect(original.includes('CANARY-OWNER')).toBe(true)
      const { media, outDir, files } = await take(`oriented-${orientation}.jpg`, original)
      expect(media).toMatchObject({ type: 'image', width: 720, height: 480, durationSeconds: null })
      expect(files).toEqual(namesOf([320, 640, 720]).sort())
      for (const variant of media.variants) {
        expect(await cornersOf(variant.path)).toEqual(corners)
        const bytes = await readFile(variant.path)
        expect(bytes.length).toBe(variant.bytes)
        expect(bytes.includes('CANARY')).toBe(false)
        const {
          exif,
          xmp,
          icc,
          iptc,
          orientation: tag,
          format,
          width,
          height,
        } = await sharp(bytes).metadata()
        expect({ exif, xmp, icc, iptc, tag }).toEqual({})
        expect({ format, width, height }).toEqual({
          format: variant.mime === 'image/avif' ? 'heif' : 'webp',
          width: variant.width,
          height: variant.height,
        })
        expect(variant.path).toBe(join(outDir, variant.name))
      }
    },
  )

  test.each([
    [200, [200]],
    [320, [320]],
    [1500, [320, 640, 1080, 1500]],
    [2400, [320, 640, 1080, 1920]],
  ])('of %i pixels becomes %j wide, as AVIF and as WebP', async (width, widths) => {
    const { media } = await take(
      `wide-${width}.png`,
      await markedPicture(width, Math.ceil(width / 2))
        .png()
        .toBuffer(),
    )
    expect(media.variants.map((variant) => variant.name)).toEqual(namesOf(widths))
  })

  test('higher than WebP can store is made narrower', async () => {
    const { media } = await take('tower.png', await markedPicture(400, 20_000).png().toBuffer())
    expect(media.variants.map(({ width }) => width)).toEqual([320, 320, 327, 327])
    expect(media.variants.every(({ height }) => height <= 16_383)).toBe(true)
  })

  test('that is very tall comes as WebP alone, which takes less memory', async () => {
    const tall = sharp({ create: { width: 1000, height: 12_000, channels: 3, background: '#808080' } })
    const { media } = await take('very-tall.png', await tall.png({ compressionLevel: 1 }).toBuffer())
    expect(media.variants.map(({ name }) => name)).toEqual(['w320.webp', 'w640.webp', 'w1000.webp'])
  })

  test.each([
    ['CMYK', () => markedPicture(400, 300).toColourspace('cmyk').jpeg({ quality: 95 })],
    ['16 bits a channel', () => markedPicture(400, 300).toColourspace('rgb16').png()],
    ['a palette', () => markedPicture(400, 300).png({ palette: true })],
    ['a wide-gamut profile', () => markedPicture(400, 300).withIccProfile('p3').jpeg({ quality: 95 })],
    ['WebP', () => markedPicture(400, 300).webp({ lossless: true })],
  ])('with %s keeps its colors, as sRGB', async (_, make) => {
    const { media } = await take('colors.bin', await make().toBuffer())
    for (const variant of media.variants) {
      expect(await cornersOf(variant.path)).toEqual(corners)
      expect(await sharp(variant.path).metadata()).toMatchObject({
        space: 'srgb',
        depth: 'uchar',
        channels: 3,
      })
    }
  })

  test('keeps its transparency', async () => {
    const clear = { r: 255, g: 0, b: 0, alpha: 0 }
    const original = await sharp({ create: { width: 64, height: 64, channels: 4, background: clear } })
      .png()
      .toBuffer()
    const { media } = await take('clear.png', original)
    const { data, info } = await sharp(media.variants[0]?.path).raw().toBuffer({ resolveWithObject: true })
    expect({ channels: info.channels, alpha: data[3] }).toEqual({ channels: 4, alpha: 0 })
  })

  test('has a blur that shows its colors and nothing else', async () => {
    const { media } = await take('blur.png', await markedPicture(600, 400).png().toBuffer())
    const hash = Buffer.from(media.thumbhash, 'base64')
    expect(hash.length).toBeLessThan(30)
    const { w, h, rgba } = thumbHashToRGBA(hash)
    expect(w).toBeGreaterThan(h)
    expect(readCorners(Buffer.from(rgba), w, h, 4).bottomLeft).not.toBe('red')
  })

  test('tells a progress that only grows', async () => {
    const { progress } = await take('progress.png', await markedPicture(2000, 1000).png().toBuffer())
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(100)
  })
})
