import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { mediaProcessor } from './adapter.ts'
import { lengthOf, playVideo } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

/**
 * Files of real cameras and phones, which the project doesn't hold. `MEDIA_SAMPLES` names a folder of them, with the
 * folders `photos`, `videos` and `hostile` in it. Without it these tests are reported as skipped.
 */
const samples = process.env.MEDIA_SAMPLES ?? ''
const list = async (folder: string) => (await readdir(join(samples, folder))).sort()

/** The upright sizes of some files that are stored turned, as a person sees them. */
const upright: Record<string, { width: number; height: number }> = {
  'landscape-exif-orientation-3.jpg': { width: 600, height: 450 },
  'landscape-exif-orientation-6.jpg': { width: 600, height: 450 },
  'portrait-exif-orientation-5.jpg': { width: 450, height: 600 },
  'portrait-exif-orientation-8.jpg': { width: 450, height: 600 },
  'rotated-display-matrix.mp4': { width: 1080, height: 1920 },
}

describe.skipIf(samples === '')('samples of other makers (MEDIA_SAMPLES)', () => {
  const bench = workbench()
  const processor = mediaProcessor({ concurrency: 2 })
  afterAll(() => processor.close())

  /** Every file of a folder, two at a time. */
  async function processAll(folder: string) {
    const names = await list(folder)
    expect(names, folder).not.toEqual([])
    return Promise.all(
      names.map(async (name) => ({ name, ...(await bench.process(join(samples, folder, name), processor)) })),
    )
  }

  test('photos all arrive upright, without metadata', async () => {
    for (const { name, outcome } of await processAll('photos')) {
      expect(outcome, name).toMatchObject({ ok: true, media: { ...upright[name] } })
      if (!outcome.ok) continue
      expect(outcome.media.variants.length, name).toBeGreaterThan(0)
      for (const variant of outcome.media.variants.filter(({ mime }) => mime.startsWith('image/'))) {
        const { exif, xmp, icc, iptc } = await sharp(await readFile(variant.path)).metadata()
        expect({ exif, xmp, icc, iptc }, `${variant.name} of ${name}`).toEqual({})
      }
    }
  })

  test('videos all play, upright, in full length', async () => {
    for (const { name, outcome, outDir } of await processAll('videos')) {
      expect(outcome, name).toMatchObject({ ok: true, media: { type: 'video', ...upright[name] } })
      const original = await lengthOf(join(samples, 'videos', name))
      const played = await playVideo(join(outDir, 'video.mp4'))
      expect(Math.abs(played.seconds - original), name).toBeLessThan(0.2)
      expect(played.sideData, name).toBe(0)
    }
  })

  test('hostile files are all refused and leave nothing', async () => {
    for (const { name, outcome, files } of await processAll('hostile')) {
      expect(outcome, name).toMatchObject({ ok: false })
      expect(files, name).toEqual([])
    }
  })
})
