import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { playVideo } from './testing/videos.ts'
import { workbench } from './testing/workbench.ts'

/** Files of cameras and phones, beside the checkout where they are at hand; the project holds none of them. */
const samples = fileURLToPath(new URL('../../../../../shared/samples', import.meta.url))
const list = async (folder: string) => (await readdir(join(samples, folder))).sort()
const timeout = 120_000

/** The upright sizes of the files that are stored turned, as a person sees them. */
const upright: Record<string, { width: number; height: number }> = {
  'landscape-exif-orientation-3.jpg': { width: 600, height: 450 },
  'landscape-exif-orientation-6.jpg': { width: 600, height: 450 },
  'portrait-exif-orientation-5.jpg': { width: 450, height: 600 },
  'portrait-exif-orientation-8.jpg': { width: 450, height: 600 },
  'rotated-display-matrix.mp4': { width: 1080, height: 1920 },
}

describe.runIf(existsSync(samples))('samples of other makers', () => {
  const bench = workbench()

  test(
    'photos all arrive upright, without metadata',
    async () => {
      for (const name of await list('photos')) {
        const { outcome } = await bench.process(join(samples, 'photos', name))
        expect(outcome, name).toMatchObject({ ok: true, media: { ...upright[name] } })
        if (!outcome.ok) continue
        expect(outcome.media.variants.length, name).toBeGreaterThan(0)
        for (const variant of outcome.media.variants.filter(({ mime }) => mime === 'image/webp')) {
          const { exif, xmp, icc, iptc } = await sharp(await readFile(variant.path)).metadata()
          expect({ exif, xmp, icc, iptc }, name).toEqual({})
        }
      }
    },
    timeout,
  )

  test(
    'videos all play, upright, in full length',
    async () => {
      for (const name of await list('videos')) {
        const { outcome, outDir } = await bench.process(join(samples, 'videos', name))
        expect(outcome, name).toMatchObject({ ok: true, media: { type: 'video', ...upright[name] } })
        const original = await playVideo(join(samples, 'videos', name))
        const played = await playVideo(join(outDir, 'video.mp4'))
        expect(Math.abs(played.seconds - original.seconds), name).toBeLessThan(0.2)
        expect(played.sideData, name).toBe(0)
      }
    },
    timeout,
  )

  test(
    'hostile files are all refused and leave nothing',
    async () => {
      for (const name of await list('hostile')) {
        const { outcome, files } = await bench.process(join(samples, 'hostile', name))
        expect(outcome, name).toMatchObject({ ok: false })
        expect(files, name).toEqual([])
      }
    },
    timeout,
  )
})
