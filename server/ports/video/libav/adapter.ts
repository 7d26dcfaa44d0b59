import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaProcessor } from '../port.ts'
import { type Outcome, runChild } from './child.ts'
import type { Limits } from './limits.ts'
import type { Job } from './worker.ts'

const cropTimeoutMs = 60_000
const defaults: Limits = { maxPixels: 50_000_000, timeoutMs: 30 * 60 * 1000, memoryMb: 1024 }

/**
 * The media processor that works with sharp and FFmpeg's libraries, each file in a child process of its own.
 * At most `concurrency` (1) files at once, the others wait in line; crops have a line of their own, of one at a time.
 * A file that is refused, or whose process fails, leaves nothing in its `outDir`.
 */
export function mediaProcessor(options: Partial<Limits> & { concurrency?: number } = {}): MediaProcessor {
  const { concurrency = 1, ...given } = options
  const limits = { ...defaults, ...given }
  const closing = new AbortController()
  const lines = [createLine(concurrency), createLine(1)] as const
  const [media, crops] = lines

  async function work(
    line: Line,
    job: Job,
    bounds: Limits,
    onProgress: (percent: number) => void,
  ): Promise<Outcome> {
    await line.turn(closing.signal)
    const running = runChild(job, bounds, { onProgress, signal: closing.signal })
    line.running.add(running)
    let kept = false
    try {
      const outcome = await running
      kept = outcome.ok
      return outcome
    } finally {
      line.running.delete(running)
      line.waiting.shift()?.()
      if (!kept) await empty(job.outDir)
    }
  }

  return {
    async process({ path, outDir, onProgress }) {
      const outcome = await work(media, { path, outDir, maxPixels: limits.maxPixels }, limits, onProgress)
      if (!outcome.ok) return outcome
      if (!outcome.media) throw new Error('media process told nothing of what it made')
      return { ok: true, media: outcome.media }
    },
    async crop({ path, outDir, ...crop }) {
      const bounds = { ...limits, timeoutMs: Math.min(limits.timeoutMs, cropTimeoutMs) }
      const outcome = await work(crops, { path, outDir, maxPixels: limits.maxPixels, crop }, bounds, () => {})
      return outcome.ok ? { ok: true, path: join(outDir, crop.name) } : outcome
    },
    async close() {
      closing.abort()
      for (const line of lines) for (const resume of line.waiting.splice(0)) resume()
      await Promise.allSettled(lines.flatMap((line) => [...line.running]))
    },
  }
}

/** Files that wait for their turn, and those at work. */
type Line = {
  running: Set<Promise<Outcome>>
  waiting: Array<() => void>
  /** Resolves when the next may start; throws once `closing` aborts. */
  turn(closing: AbortSignal): Promise<void>
}

function createLine(atOnce: number): Line {
  const line: Line = {
    running: new Set(),
    waiting: [],
    async turn(closing) {
      while (line.running.size >= atOnce && !closing.aborted) {
        await new Promise<void>((resolve) => line.waiting.push(resolve))
      }
      if (closing.aborted) throw new Error('media processing was stopped')
    },
  }
  return line
}

async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true })
}
