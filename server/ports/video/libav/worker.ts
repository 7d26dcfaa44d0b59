import { writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import {
  AV_LOG_QUIET,
  AVERROR_EACCES,
  AVERROR_EIO,
  AVERROR_ENOMEM,
  AVERROR_ENOSPC,
  FFmpegError,
  Log,
} from 'node-av'
import sharp from 'sharp'
import type { Processed } from '../port.ts'
import { cropTo, makeImage } from './image.ts'
import { judge } from './judge.ts'
import { Refused } from './refused.ts'
import { makeVideo } from './video.ts'

/** The program of the child process: one file, then the end. It is told what to do in its first argument. */
export type Job = {
  path: string
  outDir: string
  maxPixels: number
  /** One picture of exactly this size instead of every variant. */
  crop?: { name: string; width: number; height: number }
}

/** What the child says. `failed` is the machine's fault (a full disk, say), never the file's. */
export type Report =
  | { kind: 'progress'; percent: number }
  | { kind: 'done'; media: Processed | null }
  | { kind: 'refused'; refusal: Refused['refusal'] }
  | { kind: 'failed'; message: string }

/** Below everything that answers people. */
const lowPriority = 10

// A parent that died can't end its children.
process.once('disconnect', () => process.exit())
setPriority(lowPriority)
// When the machine runs out of memory, this process is the one to lose; only Linux has the setting.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
Log.setLevel(AV_LOG_QUIET)
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

let reached = 0
const job: Job = JSON.parse(process.argv[2] ?? '')
report(await work(job), () => process.exit())

async function work({ path, outDir, maxPixels, crop }: Job): Promise<Report> {
  try {
    const judged = await judge(path, maxPixels)
    onProgress(5)
    if (crop) {
      if (judged.kind === 'video') throw new Refused('media_type_unsupported')
      await cropTo({ path, outDir, maxPixels, ...crop })
      return { kind: 'done', media: null }
    }
    const media =
      judged.kind === 'image'
        ? await makeImage({ path, outDir, maxPixels, onProgress })
        : await makeVideo({ path, demuxer: judged.demuxer, outDir, maxPixels, onProgress })
    onProgress(100)
    return { kind: 'done', media }
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', refusal: error.refusal }
    if (error instanceof FFmpegError && !isMachineFault(error))
      return { kind: 'refused', refusal: 'media_unreadable' }
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

/** A full disk or exhausted memory says nothing about the file: the same job may succeed later. */
function isMachineFault(error: FFmpegError): boolean {
  return [AVERROR_ENOSPC, AVERROR_EIO, AVERROR_ENOMEM, AVERROR_EACCES].some((code) => code === error.code)
}

function onProgress(percent: number): void {
  if (percent <= reached) return
  reached = percent
  report({ kind: 'progress', percent })
}

function report(message: Report, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent)
}
