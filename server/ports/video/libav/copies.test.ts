import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Demuxer } from 'node-av'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { mediaProcessor } from './adapter.ts'
import { everyFrame, recordVideo } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const NAME = 'u/LanternMaker'
const CANARY = 'CANARY-OWNER'

/** Of each quarter of a picture, in reading order: how many of its pixels differ between the two by more than coding. */
async function changedPixels(one: Buffer, other: Buffer): Promise<number[]> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })),
  )
  if (!a || !b) throw new Error('no pictures')
  expect(b.info).toEqual(a.info)
  const { width, height, channels } = a.info
  const counts = [0, 0, 0, 0]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels
      const quarter = 2 * Number(y >= height / 2) + Number(x >= width / 2)
      if (Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0)) > 60) counts[quarter] = (counts[quarter] ?? 0) + 1
    }
  }
  return counts
}

describe('a copy of a picture', () => {
  const processor = mediaProcessor({})
  const picture = (width: number, height: number, background = '#678') =>
    sharp({ create: { width, height, channels: 3, background } })
      .withExif({ IFD0: { Artist: CANARY }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${CANARY}</a></x:xmpmeta>`)
      .withIccProfile('p3')
      .webp()
      .toBuffer()

  test.each([null, NAME])('has nothing of its metadata, with the name %s', async (text) => {
    const original = await picture(640, 480)
    expect(original.includes(CANARY)).toBe(true)
    const copy = await processor.copyPicture({ picture: original, text })
    const { format, width, height, exif, xmp, icc, iptc } = await sharp(copy).metadata()
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 640, height: 480 })
    expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
    for (const trace of [CANARY, 'Exif', 'adobe', 'ICC_PROFILE']) expect(copy.includes(trace)).toBe(false)
  })

  test.each(['#000', '#888', '#fff'])(
    'on %s has the name in its lower right corner alone',
    async (background) => {
      const original = await picture(640, 480, background)
      const clean = await processor.copyPicture({ picture: original, text: null })
      const named = await processor.copyPicture({ picture: original, text: NAME })
      expect(await changedPixels(clean, original)).toEqual([0, 0, 0, 0])
      const [upperLeft, upperRight, lowerLeft, corner = 0] = await changedPixels(named, clean)
      expect([upperLeft, upperRight, lowerLeft]).toEqual([0, 0, 0])
      expect(corner).toBeGreaterThan(200)
      expect(corner / (640 * 480)).toBeLessThan(0.02)
    },
  )

  test('has markup of a name as plain characters, and nothing of a name that can’t be drawn', async () => {
    const original = await picture(640, 480)
    const copy = (text: string | null) => processor.copyPicture({ picture: original, text })
    const markup = await copy('u/<b>Lantern</b>&amp;')
    expect(markup.equals(await copy('u/bLantern/bamp'))).toBe(true)
    expect((await copy('日本語')).equals(await copy(null))).toBe(true)
  })

  test('is at most 4096 pixels a side, and lies on white where it was transparent', async () => {
    const large = await processor.copyPicture({ picture: await picture(6000, 300), text: NAME })
    expect(await sharp(large).metadata()).toMatchObject({ width: 4096, height: 205 })
    const clear = await sharp({ create: { width: 90, height: 90, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const { channels } = await sharp(await processor.copyPicture({ picture: clear, text: null })).stats()
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
  })

  test('of something else is refused', async () => {
    const rejected = processor.copyPicture({ picture: Buffer.from('no picture'), text: NAME })
    await expect(rejected).rejects.toThrow()
  })
})

describe('a copy of a video', () => {
  let original = ''
  beforeAll(async () => {
    original = await recordVideo(bench.folder(), 'own.mp4', {
      format: 'mp4',
      width: 480,
      height: 320,
      times: everyFrame(20, 10),
      sound: { start: 0, seconds: 2 },
      metadata: { artist: CANARY, location: '+51.5090-000.1213/' },
    })
  })

  const copyOf = async (path: string, text: string) => {
    const processor = mediaProcessor({})
    const outDir = await bench.emptyFolder()
    const made = await processor.copyVideo({ path, outDir, name: 'copy.mp4', text })
    await processor.close()
    return { made, outDir }
  }
  const posterOf = async (path: string, seconds: number) => {
    const processor = mediaProcessor({})
    const poster = await processor.poster({ path, seconds, outDir: await bench.emptyFolder() })
    await processor.close()
    if (!poster.ok) throw new Error(poster.refusal)
    return readFile(poster.variants.find(({ mime }) => mime === 'image/webp')?.path ?? '')
  }

  test('has the name in the corner from its first frame to its last, its sound, and nothing of its metadata', async () => {
    const { made, outDir } = await copyOf(original, NAME)
    expect(made).toEqual({ ok: true, path: join(outDir, 'copy.mp4') })
    const path = join(outDir, 'copy.mp4')
    for (const seconds of [0, 1.8]) {
      const [upperLeft, upperRight, lowerLeft, corner] = await changedPixels(
        await posterOf(path, seconds),
        await posterOf(original, seconds),
      )
      expect([upperLeft, upperRight, lowerLeft]).toEqual([0, 0, 0])
      expect(corner).toBeGreaterThan(100)
    }
    const bytes = await readFile(path)
    for (const trace of ['CANARY', '51.509']) expect(bytes.includes(trace)).toBe(false)
    await using demuxer = await Demuxer.open(path)
    expect(demuxer.streams).toHaveLength(2)
    expect(Math.round(demuxer.duration)).toBe(2)
  })

  test('may have a name of markup and of the syntax of filters, which is drawn as it is', async () => {
    const { made } = await copyOf(original, "u/';[v]movie=/etc/passwd,drawtext=x:<b>")
    expect(made.ok).toBe(true)
  })

  test('of something else is refused, and leaves nothing', async () => {
    const { made } = await copyOf(await bench.upload('other.mp4', 'no video'), NAME)
    expect(made.ok).toBe(false)
  })
})
