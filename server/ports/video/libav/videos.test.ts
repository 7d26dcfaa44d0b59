import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AV_CODEC_ID_AAC, AV_CODEC_ID_H264 } from 'node-av'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { corners, markedPicture, readCorners } from './testing/pictures.ts'
import {
  everyFrame,
  playVideo,
  recordApng,
  recordVideo,
  soundStart,
  type VideoOptions,
} from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const usual: VideoOptions = { format: 'mp4', width: 480, height: 360, times: everyFrame(20, 10) }

async function takeFile(path: string) {
  const result = await bench.process(path)
  if (!result.outcome.ok) throw new Error(`refused: ${result.outcome.refusal}`)
  const target = join(result.outDir, 'video.mp4')
  const bytes = await readFile(target)
  return { ...result, media: result.outcome.media, bytes, played: await playVideo(target) }
}

const take = async (name: string, options: Partial<VideoOptions>) =>
  takeFile(await recordVideo(bench.folder(), name, { ...usual, ...options }))

async function cornersOf(path: string) {
  const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  return readCorners(data, info.width, info.height, info.channels)
}

/** Display matrices as cameras write them, with how the stored picture is seen through each (columns a b u, c d v). */
const matrices: Array<
  [string, number[], { width: number; height: number; topLeft: string; bottomRight: string }]
> = [
  ['no turn', [1, 0, 0, 0, 1, 0, 0, 0, 1], { width: 480, height: 360, topLeft: 'red', bottomRight: 'white' }],
  [
    'a quarter turn clockwise',
    [0, 1, 0, -1, 0, 0, 0, 0, 1],
    { width: 360, height: 480, topLeft: 'blue', bottomRight: 'green' },
  ],
  [
    'a half turn',
    [-1, 0, 0, 0, -1, 0, 0, 0, 1],
    { width: 480, height: 360, topLeft: 'white', bottomRight: 'red' },
  ],
  [
    'a quarter turn back',
    [0, -1, 0, 1, 0, 0, 0, 0, 1],
    { width: 360, height: 480, topLeft: 'green', bottomRight: 'blue' },
  ],
  [
    'a mirror',
    [-1, 0, 0, 0, 1, 0, 0, 0, 1],
    { width: 480, height: 360, topLeft: 'green', bottomRight: 'blue' },
  ],
  [
    'a mirror upside down',
    [1, 0, 0, 0, -1, 0, 0, 0, 1],
    { width: 480, height: 360, topLeft: 'blue', bottomRight: 'green' },
  ],
  [
    'a turned mirror',
    [0, 1, 0, 1, 0, 0, 0, 0, 1],
    { width: 360, height: 480, topLeft: 'red', bottomRight: 'white' },
  ],
  [
    'a mirror turned the other way',
    [0, -1, 0, -1, 0, 0, 0, 0, 1],
    { width: 360, height: 480, topLeft: 'white', bottomRight: 'red' },
  ],
]

describe('a video', () => {
  test.each(matrices)('recorded with %s arrives upright, once', async (_, matrix, seen) => {
    const { media, played } = await take('turned.mov', { format: 'mov', matrix })
    const { width, height, topLeft, bottomRight } = seen
    expect(media).toMatchObject({ type: 'video', width, height })
    expect({ width: played.first.width, height: played.first.height }).toEqual({ width, height })
    expect(readCorners(played.first.data, width, height, 3)).toMatchObject({ topLeft, bottomRight })
    expect(played.sideData).toBe(0)
    const poster = media.variants.find((variant) => variant.name.startsWith('poster'))
    expect(await cornersOf(poster?.path ?? '')).toMatchObject({ topLeft, bottomRight })
  })

  test('becomes H.264 and AAC with its index in front and nothing of its metadata', async () => {
    const metadata = {
      location: '+51.5090-000.1213/',
      'com.apple.quicktime.location.ISO6709': '+51.5090-000.1213/',
      make: 'CANARY-MAKE',
      artist: 'CANARY-OWNER',
      creation_time: '2024-05-06T07:08:09.000000Z',
    }
    const original = await recordVideo(bench.folder(), 'owned.mov', {
      ...usual,
      format: 'mov',
      metadata,
      sound: { start: 0, seconds: 2 },
    })
    expect((await readFile(original)).includes('CANARY-OWNER')).toBe(true)
    const { media, bytes, played, files } = await takeFile(original)
    expect(files).toEqual(['poster-w480.avif', 'poster-w480.webp', 'video.mp4'])
    expect(played.codecs).toEqual([AV_CODEC_ID_H264, AV_CODEC_ID_AAC])
    expect(played.isYuv420).toBe(true)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    for (const canary of ['CANARY', '51.509', 'ISO6709', '2024-05'])
      expect(bytes.includes(canary)).toBe(false)
    expect(Object.keys(played.metadata).sort()).toEqual([
      'compatible_brands',
      'encoder',
      'major_brand',
      'minor_version',
    ])
    expect(media.variants.find(({ name }) => name === 'video.mp4')).toMatchObject({
      mime: 'video/mp4',
      bytes: bytes.length,
    })
    expect(media.durationSeconds).toBe(2)
  })

  test('larger than 1920 pixels is made smaller, with even sides and posters of 640 and 1280', async () => {
    const { media, files } = await take('large.mp4', {
      width: 2562,
      height: 1002,
      times: everyFrame(3, 10),
    })
    expect(media).toMatchObject({ width: 1920, height: 750, durationSeconds: 1 })
    expect(files).toEqual([
      'poster-w1280.avif',
      'poster-w1280.webp',
      'poster-w640.avif',
      'poster-w640.webp',
      'video.mp4',
    ])
  })

  test('of a variable frame rate plays at a constant one, as long as before', async () => {
    const times = [0, 0.1, 0.13, 0.2, 0.9, 0.95, 1.7, 1.71, 2.4]
    const { media, played } = await take('variable.mp4', { times })
    expect(played.seconds).toBeGreaterThan(2.4)
    expect(played.seconds).toBeLessThan(3.2)
    expect(media.durationSeconds).toBe(Math.ceil(played.seconds))
    expect(played.frames / played.seconds).toBeCloseTo(30, 0)
  })

  test('whose picture and sound start late keeps both in step', async () => {
    const times = everyFrame(20, 10).map((time) => time + 0.5)
    const { played, outDir } = await take('late.mp4', { times, sound: { start: 1, seconds: 1.5 } })
    expect(played.seconds).toBeCloseTo(2.5, 1)
    expect(await soundStart(join(outDir, 'video.mp4'))).toBeCloseTo(1, 1)
    expect(played.codecs).toEqual([AV_CODEC_ID_H264, AV_CODEC_ID_AAC])
  })

  test('of a high dynamic range keeps its colors on a usual screen', async () => {
    const { media, played } = await take('bright.mov', { format: 'mov', highDynamicRange: true })
    expect(media).toMatchObject({ width: 480, height: 360 })
    expect(played.isYuv420).toBe(true)
    expect(readCorners(played.first.data, 480, 360, 3)).toEqual(corners)
  })

  test('of one frame is taken', async () => {
    const { media, played } = await take('still.mp4', { times: [0] })
    expect(media.durationSeconds).toBe(1)
    expect(played.frames).toBeGreaterThanOrEqual(1)
  })

  test('tells a progress that only grows', async () => {
    const { progress } = await take('progress.mp4', { times: everyFrame(90, 30) })
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(3)
    expect(progress.at(-1)).toBe(100)
  })
})

describe('an animated picture becomes a short silent video', () => {
  test('from WebP, on white where it is transparent', async () => {
    const marked = await markedPicture(200, 160).png().toBuffer()
    const clear = await sharp({ create: { width: 200, height: 160, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const animation = await sharp([clear, marked, marked], { join: { animated: true } })
      .webp({ delay: [500, 500, 500], lossless: true })
      .toBuffer()
    const { media, played } = await takeFile(await bench.upload('moving.webp', animation))
    expect(media).toMatchObject({ type: 'video', width: 200, height: 160, durationSeconds: 2 })
    expect(played.codecs).toEqual([AV_CODEC_ID_H264])
    expect(readCorners(played.first.data, 200, 160, 3)).toEqual({
      topLeft: 'white',
      topRight: 'white',
      bottomLeft: 'white',
      bottomRight: 'white',
    })
  })

  test('from PNG', async () => {
    const path = await recordApng(bench.folder(), 'moving.png', { width: 200, height: 160, count: 15 })
    const { media, played } = await takeFile(path)
    expect(media).toMatchObject({ type: 'video', width: 200, height: 160, durationSeconds: 2 })
    expect(readCorners(played.first.data, 200, 160, 3)).toEqual(corners)
  })
})
