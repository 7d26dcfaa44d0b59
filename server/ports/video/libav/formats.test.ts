import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FF_ENCODER_BMP, FF_ENCODER_GIF, FF_ENCODER_LIBSVTAV1, FF_ENCODER_LIBX265 } from 'node-av'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Variant } from '../port.ts'
import { heicOf } from './testing/heic.ts'
import { u32, withPngChunk } from './testing/hostile/chunks.ts'
import { corners, markedPicture, markedPixels, readCorners } from './testing/pictures.ts'
import { everyFrame, playVideo, recordPictures } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()

async function take(name: string, bytes: Buffer) {
  const { outcome, files } = await bench.process(await bench.upload(name, bytes))
  if (!outcome.ok) throw new Error(outcome.refusal)
  return { media: outcome.media, files }
}

async function cornersOf(variants: Variant[]) {
  const largest = variants.findLast(({ mime }) => mime === 'image/webp')
  const { data, info } = await sharp(largest?.path).raw().toBuffer({ resolveWithObject: true })
  return readCorners(data, info.width, info.height, info.channels)
}

describe('a HEIC picture', () => {
  const phone = { pixels: markedPixels(720, 480), width: 720, height: 480, tile: 256 }

  test.each([
    ['of six tiles, the last of which reach beyond it', {}, corners],
    [
      'that its phone turned',
      { turns: 3 },
      { topLeft: 'blue', topRight: 'red', bottomLeft: 'white', bottomRight: 'green' },
    ],
    [
      'that a front camera mirrored',
      { mirrored: true },
      { topLeft: 'green', topRight: 'red', bottomLeft: 'white', bottomRight: 'blue' },
    ],
  ])('%s is shown upright, and nothing of its metadata', async (_, change, expected) => {
    const { media, files } = await take(
      'phone.heic',
      await heicOf(bench.folder(), { ...phone, nclx: [1, 13, 6], ...change }),
    )
    const turned = 'turns' in change
    expect(media).toMatchObject({
      type: 'image',
      damaged: false,
      width: turned ? 480 : 720,
      height: turned ? 720 : 480,
    })
    expect(await cornersOf(media.variants)).toEqual(expected)
    // The picture that it was decoded to goes with it.
    expect(files).toEqual(media.variants.map(({ name }) => name).sort())
    for (const { path } of media.variants) expect((await readFile(path)).includes('CANARY')).toBe(false)
  })

  test('keeps the colors that its profile means', async () => {
    const tagged = await markedPicture(64, 64).withIccProfile('p3').png().toBuffer()
    const { icc: profile } = await sharp(tagged).metadata()
    const pixels = Buffer.alloc(256 * 256 * 3, Buffer.from([220, 40, 40]))
    const square = { pixels, width: 256, height: 256, tile: 256 }
    const bytes = await heicOf(bench.folder(), { ...square, ...(profile && { profile }) })
    const { media } = await take('wide.heic', bytes)
    const { data } = await sharp(media.variants.at(-1)?.path).raw().toBuffer({ resolveWithObject: true })
    // The same numbers mean a stronger red in Display P3 than in sRGB.
    expect(data[0]).toBeGreaterThan(228)
    expect(data[1]).toBeLessThan(32)
  })
})

describe('a still picture', () => {
  test.each([
    ['AVIF', () => markedPicture(400, 300).avif({ quality: 90 }).toBuffer()],
    ['GIF', () => markedPicture(400, 300).gif().toBuffer()],
    ['TIFF', () => markedPicture(400, 300).tiff({ compression: 'lzw' }).toBuffer()],
    [
      'BMP',
      async () =>
        readFile(
          await recordPictures(bench.folder(), 'still.bmp', {
            format: 'image2',
            encoder: FF_ENCODER_BMP,
            filter: 'format=bgr24',
            width: 400,
            height: 300,
            times: [0],
          }),
        ),
    ],
  ])('of the kind %s is taken', async (_, make) => {
    const { media } = await take('still.jpg', await make())
    expect(media).toMatchObject({ type: 'image', width: 400, height: 300, damaged: false })
    expect(await cornersOf(media.variants)).toEqual(corners)
  })
})

test('a GIF that moves becomes a silent video of its length', async () => {
  const path = await recordPictures(bench.folder(), 'moving.gif', {
    format: 'gif',
    encoder: FF_ENCODER_GIF,
    filter: 'format=rgb8',
    width: 160,
    height: 120,
    times: everyFrame(20, 10),
  })
  const { media } = await take('moving.png', await readFile(path))
  expect(media).toMatchObject({ type: 'video', width: 160, height: 120, durationSeconds: 2 })
  const played = await playVideo(media.variants[0]?.path ?? '')
  expect(played.codecs).toHaveLength(1)
  expect(readCorners(played.first.data, 160, 120, 3)).toEqual(corners)
  expect(join(bench.folder(), 'moving.gif')).toBe(path)
})

describe('a sequence of pictures', () => {
  const moving = { width: 160, height: 120, times: everyFrame(20, 10), filter: 'fps=10,format=yuv420p' }

  /** The result of a video in HEVC whose boxes say that it is a sequence of pictures. */
  const asHeic = (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy.write('hevc', 8, 'latin1')
    copy.write('msf1hevc', 16, 'latin1')
    const handler = copy.indexOf('vide', copy.indexOf('hdlr', 0, 'latin1'), 'latin1')
    copy.write('pict', handler, 'latin1')
    return copy
  }

  test.each([
    ['AVIF', { format: 'avif', encoder: FF_ENCODER_LIBSVTAV1 }, (bytes: Buffer) => bytes],
    ['HEIC', { format: 'mp4', encoder: FF_ENCODER_LIBX265 }, asHeic],
  ] as const)('as %s becomes a silent video of its length', async (_, kind, change) => {
    const path = await recordPictures(bench.folder(), 'sequence', { ...moving, ...kind })
    const { media } = await take('sequence.jpg', change(await readFile(path)))
    expect(media).toMatchObject({
      type: 'video',
      width: 160,
      height: 120,
      durationSeconds: 2,
      damaged: false,
    })
    const played = await playVideo(media.variants[0]?.path ?? '')
    expect([played.codecs.length, played.frames]).toEqual([1, 20])
    expect(readCorners(played.first.data, 160, 120, 3)).toEqual(corners)
  })
})

test('a panorama is as sharp as other pictures, not a narrow band', async () => {
  const { media } = await take('panorama.jpg', await markedPicture(12_000, 1500).jpeg().toBuffer())
  const largest = media.variants.at(-1)
  expect(largest).toMatchObject({ width: 3840, height: 480 })
  expect(media.variants.every(({ height }) => height >= 32)).toBe(true)
})

test('a JPEG in which Photoshop for Mac wrote a property list is taken, one with HTML in a comment is not', async () => {
  const segment = (code: number, text: string) => {
    const head = Buffer.from([0xff, code, 0, 0])
    head.writeUInt16BE(text.length + 2, 2)
    return Buffer.concat([head, Buffer.from(text, 'latin1')])
  }
  const jpeg = await markedPicture(320, 240).jpeg().toBuffer()
  const withSegment = (part: Buffer) => Buffer.concat([jpeg.subarray(0, 2), part, jpeg.subarray(2)])
  const plist = 'Photoshop 3.0\0<?xml version="1.0"?><!DOCTYPE plist PUBLIC "CANARY"><plist></plist>'
  const { media } = await take('mac.jpg', withSegment(segment(0xed, plist)))
  for (const { path } of media.variants) expect((await readFile(path)).includes('CANARY')).toBe(false)
  await expect(take('page.jpg', withSegment(segment(0xfe, '<!doctype html><p>')))).rejects.toThrow(
    'media_type_unsupported',
  )
})

describe('the colors of a PNG', () => {
  const square = () =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 128, g: 40, b: 40 } } })
      .png()
      .toBuffer()

  test.each<[string, string, Buffer, [number, number]]>([
    ['are linear light by its gAMA', 'gAMA', u32(100_000), [188, 111]],
    ['are those of most screens by its gAMA', 'gAMA', u32(45_455), [128, 40]],
    ['are Display P3 by its cICP', 'cICP', Buffer.from([12, 13, 0, 1]), [140, 32]],
    ['are sRGB by its cICP', 'cICP', Buffer.from([1, 13, 0, 1]), [128, 40]],
    ['reach above white by its cICP (PQ)', 'cICP', Buffer.from([1, 16, 0, 1]), [181, 17]],
  ])('%s', async (_, type, body, [red, green]) => {
    const { media } = await take('colors.png', withPngChunk(await square(), type, body))
    const { data } = await sharp(media.variants.at(-1)?.path).raw().toBuffer({ resolveWithObject: true })
    expect(Math.abs((data[0] ?? 0) - red)).toBeLessThan(6)
    expect(Math.abs((data[1] ?? 0) - green)).toBeLessThan(8)
  })
})
