import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findRunningPostgres } from '../db/embedded/running.ts'

test('a stop that is asked for while the first start migrates ends with 0 and says of no failure', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-stopping-'))
  const main = join(import.meta.dirname, '..', '..', 'main.ts')
  const { NODE_ENV: _, ...environment } = process.env
  const program = spawn(process.execPath, [main], {
    env: { ...environment, DATA_DIR: dataDir, PORT: '0', SAMPLE_DATA: 'off', LOG_FORMAT: 'json' },
  })
  const ended = once(program, 'exit')
  const complained = text(program.stderr)
  program.stdout.resume()
  try {
    await expect.poll(() => findRunningPostgres(dataDir), { timeout: 20_000 }).not.toBeNull()
    program.kill('SIGTERM')
    expect([(await ended)[0], await complained]).toEqual([0, ''])
  } finally {
    program.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})
