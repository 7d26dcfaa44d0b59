import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeLock } from './lock.ts'
import { FolderInUse } from './postgres.ts'
import { findOrStartPostgres, findRunningPostgres } from './running.ts'
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

const MAIN = join(import.meta.dirname, '..', '..', '..', 'main.ts')
const environment = () => ({ ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' })

/** One of the operator's commands, as the README writes it but for npm. */
async function admin(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'admin', ...args], {
    env: environment(),
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

test('a command that comes while a server stops says that it waits, and then works', async () => {
  const release = takeLock(join(dataDir, 'postgres.lock'))
  const command = spawn(process.execPath, [MAIN, 'admin', 'migrate'], { env: environment() })
  const said = text(command.stdout)
  const ended = once(command, 'exit')
  try {
    const [line] = await once(command.stderr, 'data')
    expect(String(line)).toBe('Waiting for the server, which is starting or stopping.\n')
  } finally {
    release?.()
  }
  expect([await said, (await ended)[0]]).toEqual(['The database is up to date.\n', 0])
})

test('a command that comes while a server starts works in its database', async () => {
  let starting: Promise<StartedProcess> | undefined
  const found = await findOrStartPostgres(dataDir, {
    start: () => Promise.reject(new FolderInUse('It is starting.')),
    onWait: () => {
      starting = startInProcess({ dataDir })
    },
  })
  running = await starting
  expect(found).toBe(address(running?.outcome))
})
