import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit, { type LimitFunction } from 'p-limit'
import { type MediaProcessor, ProcessingStopped, TooManyWaiting } from '../port.ts'
import { type Outcome, runChild, type Watching } from './child.ts'
import { copyPicture } from './copy-picture.ts'
import { isMoving } from './kinds.ts'
import { cropTimeoutMs, defaultLimits, type Limits, maxWaitingCrops, pictureTimeoutMs } from './limits.ts'
import { watermark } from './watermark.ts'
import type { Job, Made } from './worker.ts'

/** For a poster, of one of our own videos. */
const posterTimeoutMs = 60_000
/** Pictures that are marked at the same time, inside the server. */
const watermarksAtOnce = 2

/**
 * The media processor that works with sharp and FFmpeg's libraries, each file in a child process of its own.
 * At most `concurrency` (1) pictures and twice as many videos at once, so that no picture waits for a video, nor a short
 * video for a long one; the others wait in line. Crops and posters, for which a person waits, have a line of their own, of one at a time,
 * and so have copies of videos.
 * A file that is refused, or whose process fails, leaves nothing in its `outDir`.
 */
export function mediaProcessor(options: Partial<Limits> & { concurrency?: number } = {}): MediaProcessor {
  const { concurrency = 1, ...given } = options
  const limits = { ...defaultLimits, ...given }
  const { maxPixels } = limits
  const within = (timeoutMs: number) => ({ ...limits, timeoutMs: Math.min(limits.timeoutMs, timeoutMs) })
  const closing = new AbortController()
  const pictureQueue = pLimit(concurrency)
  const videoQueue = pLimit(2 * concurrency)
  const interactiveQueue = pLimit(1)
  const watermarkQueue = pLimit(watermarksAtOnce)
  const copyQueue = pLimit(1)
  const running = new Set<Promise<unknown>>()

  /** Jobs that still wait when the processor is closed are rejected without being started. */
  function enqueue<Made>(queue: LimitFunction, work: () => Promise<Made>): Promise<Made> {
    return queue(async () => {
      if (closing.signal.aborted) throw new ProcessingStopped()
      const made = work()
      running.add(made)
      try {
        return await made
      } finally {
        running.delete(made)
      }
    })
  }

  async function work<Task extends keyof Made>(
    job: Job<Task>,
    bounds: Limits,
    watching: Watching,
    stop: AbortSignal = closing.signal,
  ): Promise<Outcome<Task>> {
    let kept = false
    try {
      const outcome = await runChild(job, bounds, {
        ...watching,
        signal: AbortSignal.any([closing.signal, stop]),
      })
      kept = outcome.ok
      return outcome
    } finally {
      if (!kept) await empty(job.outDir)
    }
  }

  return {
    isMoving,
    async process({ path, outDir, signal, ...watching }) {
      const job = { path, outDir, maxPixels, task: 'process' } as const
      const moving = await isMoving(path)
      const bounds = moving ? limits : within(pictureTimeoutMs)
      const queue = moving ? videoQueue : pictureQueue
      const outcome = await enqueue(queue, () => work(job, bounds, watching, signal))
      return outcome.ok ? { ok: true, media: outcome.made } : outcome
    },
    async crop({ path, outDir, ...crop }) {
      const job = { path, outDir, maxPixels, task: 'crop', crop } as const
      if (interactiveQueue.pendingCount >= maxWaitingCrops) throw new TooManyWaiting()
      const outcome = await enqueue(interactiveQueue, () =>
        work(job, within(cropTimeoutMs), { onProgress: () => {} }),
      )
      return outcome.ok ? { ok: true, path: join(outDir, crop.name) } : outcome
    },
    async poster({ path, outDir, seconds }) {
      const job = { path, outDir, maxPixels, task: 'poster', seconds } as const
      const outcome = await enqueue(interactiveQueue, () =>
        work(job, within(posterTimeoutMs), { onProgress: () => {} }),
      )
      return outcome.ok ? { ok: true, ...outcome.made } : outcome
    },
    watermark: (input) => enqueue(watermarkQueue, () => watermark(input)),
    copyPicture: (input) => enqueue(watermarkQueue, () => copyPicture(input)),
    async copyVideo({ path, outDir, ...copy }) {
      const job = { path, outDir, maxPixels, task: 'copy', copy } as const
      const outcome = await enqueue(copyQueue, () => work(job, limits, { onProgress: () => {} }))
      return outcome.ok ? { ok: true, path: join(outDir, copy.name) } : outcome
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
    },
  }
}

async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true })
}
