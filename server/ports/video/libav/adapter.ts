import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaProcessor } from '../port.ts'
import { type Outcome, runChild } from './child.ts'
import type { Limits } from './limits.ts'

const defaults: Limits = { maxPixels: 50_000_000, timeoutMs: 30 * 60 * 1000, memoryMb: 1024 }

/**
 * The media processor that works with sharp and FFmpeg's libraries, each file in a child process of its own.
 * At most `concurrency` (1) files at once, the others wait in line. A file that is refused, or whose process
 * fails, leaves nothing in its `outDir`.
 */
export function mediaProcessor(options: Partial<Limits> & { concurrency?: number } = {}): MediaProcessor {
  const { concurrency = 1, ...given } = options
  const limits = { ...defaults, ...given }
  const closing = new AbortController()
  const waiting: Array<() => void> = []
  const running = new Set<Promise<Outcome>>()

  async function turn(): Promise<void> {
    while (running.size >= concurrency && !closing.signal.aborted) {
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    if (closing.signal.aborted) throw new Error('media processing was stopped')
  }

  return {
    async process({ path, outDir, onProgress }) {
      await turn()
      const work = runChild({ path, outDir, maxPixels: limits.maxPixels }, limits, {
        onProgress,
        signal: closing.signal,
      })
      running.add(work)
      let kept = false
      try {
        const outcome = await work
        kept = outcome.ok
        return outcome
      } finally {
        running.delete(work)
        waiting.shift()?.()
        if (!kept) await empty(outDir)
      }
    },
    async close() {
      closing.abort()
      for (const resume of waiting.splice(0)) resume()
      await Promise.allSettled(running)
    },
  }
}

async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true })
}
