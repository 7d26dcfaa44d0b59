import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from './running.ts'
import { address, query, type StartedProcess, startInProcess } from './testing.ts'

let dataDir: string
let running: StartedProcess | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fanfare-running-'))
})
afterAll(async () => {
  await running?.kill('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

/** One of the operator's commands, as the README writes it but for npm. */
async function admin(...args: string[]): Promise<string> {
  const main = join(import.meta.dirname, '..', '..', '..', 'main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'admin', ...args], {
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
  })
  return stdout
}

const superadmin = (name: string) =>
  admin(
    'create-superadmin',
    '--email',
    `${name}@example.test`,
    '--username',
    name,
    '--password',
    'correct horse',
  )

test('a command works while nothing runs, while the server runs, and after it was killed', async () => {
  expect(await findRunningPostgres(dataDir)).toBeNull()
  expect(await superadmin('before')).toContain('Created the superadmin before.')
  expect(await findRunningPostgres(dataDir)).toBeNull()

  running = await startInProcess({ dataDir })
  expect(await findRunningPostgres(dataDir)).toBe(address(running.outcome))
  expect(await superadmin('while')).toContain('Created the superadmin while.')
  const rows = await query(
    address(running.outcome),
    "select username from users where role = 'superadmin' order by 1",
  )
  expect(rows).toEqual([{ username: 'before' }, { username: 'while' }])
  // The running one is left as it was.
  expect(await findRunningPostgres(dataDir)).toBe(address(running.outcome))

  await running.kill('SIGKILL')
  running = undefined
  expect(await superadmin('after')).toContain('Created the superadmin after.')
  expect(await findRunningPostgres(dataDir)).toBeNull()
})
