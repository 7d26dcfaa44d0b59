import { writeFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import sharp from 'sharp'
import type { Poster, Processed } from '../port.ts'
import { cropTo, makeImage } from './image.ts'
import { inspect } from './inspect.ts'
import { encodersAtOnce } from './limits.ts'
import { asPicture } from './picture-file.ts'
import { Refused } from './refused.ts'

/** The result of each task. */
export type Made = { process: Processed; crop: null; poster: Poster; copy: null }

/** The program of the child process: one file, then the end. It is told what to do in its first argument. */
export type Job<Task extends keyof Made = keyof Made> = {
  path: string
  outDir: string
  maxPixels: number
  task: Task
  /** For a crop: one picture of exactly this size. */
  crop?: { name: string; width: number; height: number }
  /** For a copy of a video: its name, and what is drawn on it. */
  copy?: { name: string; text: string }
  /** For a poster: the second of the video. */
  seconds?: number
}

/** The child's message. `failed` is the machine's fault (a full disk, say), never the file's. */
export type Report =
  | { kind: 'progress'; percent: number }
  /** How long the video is that was started. */
  | { kind: 'length'; seconds: number }
  | { kind: 'done'; made: Made[keyof Made] }
  | { kind: 'refused'; refusal: Refused['refusal'] }
  | { kind: 'failed'; message: string; ofDisk: boolean }

/** Below everything that answers people. */
const lowPriority = 10

// A parent that died can't end its children.
process.once('disconnect', () => process.exit())
// Only root may come nearer to the others again than the server itself is.
setPriority(Math.max(lowPriority, getPriority()))
// When the machine runs out of memory, this process is the one to lose; only Linux has the setting.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
sharp.cache(false)
sharp.concurrency(encodersAtOnce)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
})

let reached = 0
const job: Job = JSON.parse(process.argv[2] ?? '')
report(await work(job), () => process.exit())

async function work(given: Job): Promise<Report> {
  try {
    return { kind: 'done', made: await make(given) }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', message, ofDisk: isDiskFault(error) }
  }
}

/** FFmpeg's codes are the system's, below zero. Its EIO is left out, as it says the same of some broken files. */
function isDiskFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const { ENOSPC, EDQUOT, EROFS } = constants.errno
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', -ENOSPC, -EDQUOT, -EROFS].some((fault) => fault === code)
}

async function make({
  path,
  outDir,
  maxPixels,
  task,
  crop,
  copy,
  seconds = 0,
}: Job): Promise<Made[keyof Made]> {
  const inspected = await inspect(path, maxPixels)
  onProgress(5)
  if (task === 'poster') {
    if (inspected.kind !== 'video') throw new Refused('media_type_unsupported')
    const { libav } = await import('./libav.ts')
    return libav.makePosterAt({ path, outDir, maxPixels, seconds })
  }
  if (task === 'copy') {
    if (inspected.kind !== 'video' || !copy) throw new Refused('media_type_unsupported')
    const { libav } = await import('./libav.ts')
    await libav.copyVideo({ path, outDir, maxPixels, ...copy, onLength })
    return null
  }
  if (task === 'crop') {
    if (inspected.kind === 'video' || !crop) throw new Refused('media_type_unsupported')
    if (inspected.kind === 'animation') await cropTo({ path, outDir, maxPixels, ...crop })
    else
      await asPicture({ path, outDir, maxPixels, decoder: inspected.decoder }, (picture) =>
        cropTo({ path: picture, outDir, maxPixels, ...crop }),
      )
    return null
  }
  if (inspected.kind === 'image') {
    const { decoder } = inspected
    const { made, damaged } = await asPicture({ path, outDir, maxPixels, decoder }, (picture) =>
      makeImage({ path: picture, outDir, maxPixels, formats: ['avif', 'webp'], onProgress }),
    )
    onProgress(100)
    return { ...made, damaged }
  }
  const { libav } = await import('./libav.ts')
  const media = await libav.makeVideo({
    path,
    demuxer: inspected.demuxer,
    animated: inspected.kind === 'animation',
    cut: inspected.kind === 'video' && inspected.cut,
    outDir,
    maxPixels,
    onLength,
    onProgress,
  })
  onProgress(100)
  return media
}

function onLength(seconds: number): void {
  report({ kind: 'length', seconds })
}

function onProgress(percent: number): void {
  if (percent <= reached) return
  reached = percent
  report({ kind: 'progress', percent })
}

function report(message: Report, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent)
}
