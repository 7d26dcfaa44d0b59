import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pauseOfHours } from './testing/hostile/videos.ts'

/** The least priority that there is. */
const LEAST = 19

test.each([0, 15])(
  'under a server that is nicer by %i, a file is prepared no sooner than it',
  async (nicer) => {
    const folder = await mkdtemp(join(tmpdir(), 'fanfare-priority-'))
    const path = await pauseOfHours(folder)
    const job = JSON.stringify({ path, outDir: folder, maxPixels: 1e7, task: 'process' })
    const worker = [process.execPath, join(import.meta.dirname, 'worker.ts'), job]
    const child = spawn('nice', ['-n', String(nicer), ...worker], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    try {
      // A video of hours takes minutes from its first word on.
      await once(child, 'message')
      expect(getPriority(child.pid)).toBe(Math.max(10, Math.min(LEAST, getPriority() + nicer)))
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
      await rm(folder, { recursive: true })
    }
  },
)
