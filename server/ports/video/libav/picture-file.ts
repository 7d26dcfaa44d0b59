import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Inspected } from './inspect.ts'
import { repairJpeg } from './jpeg.ts'
import { Refused } from './refused.ts'

type Decoder = Extract<Inspected, { kind: 'image' }>['decoder']

/**
 * Lets `use` read a picture with sharp: as it is, decoded before when sharp has no decoder for it, or repaired when it
 * doesn't decode. What is made for that stands in `outDir` as long as it is used.
 */
export async function asPicture<Made>(
  input: { path: string; outDir: string; maxPixels: number; decoder: Decoder },
  use: (path: string) => Promise<Made>,
): Promise<{ made: Made; damaged: boolean }> {
  const { path, outDir, maxPixels, decoder } = input
  const target = join(outDir, 'source')
  try {
    if (decoder === 'heic' || decoder === 'bmp') {
      const { libav } = await import('./libav.ts')
      await libav[decoder]({ path, target, maxPixels })
      return { made: await use(target), damaged: false }
    }
    try {
      return { made: await use(path), damaged: false }
    } catch (error) {
      if (decoder !== 'jpeg' || !(error instanceof Refused) || error.refusal !== 'media_unreadable')
        throw error
      await repairJpeg(path, target)
      return { made: await use(target), damaged: true }
    }
  } finally {
    await rm(target, { force: true })
  }
}
