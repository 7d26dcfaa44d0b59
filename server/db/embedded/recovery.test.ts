import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from './postgres.ts'
import { address, connect, query, startInProcess } from './testing.ts'

const asRoot = process.getuid?.() === 0
const nobody = 65534
const nobodyCanRun =
  asRoot &&
  spawnSync(process.execPath, ['--eval', `import(${JSON.stringify(import.meta.resolve('./postgres.ts'))})`], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
  }).status === 0

let folder: string
let dataDir: string
const bystanders: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postgres-test-'))
  dataDir = join(folder, 'data')
})

afterEach(() => {
  for (const bystander of bystanders.splice(0)) bystander.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('after a kill -9', () => {
  it('of this process: PostgreSQL ends by itself, and what was committed is there at the next start', async () => {
    const killed = await startInProcess({ dataDir })
    await writeNote(address(killed.outcome))
    const postmaster = postmasterOf(dataDir)
    await killed.kill('SIGKILL')
    const next = await startInProcess({ dataDir })
    expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
    expect(postmasterOf(dataDir)).not.toBe(postmaster)
    await next.kill('SIGKILL')
    await vi.waitFor(() => expect(() => postmasterOf(dataDir)).toThrow('ENOENT'), { timeout: 150_000 })
  })

  it('of this process where nothing stops PostgreSQL with it: the next start does', async () => {
    const env = withoutPrograms('setpriv')
    const killed = await startInProcess({ dataDir, env })
    await writeNote(address(killed.outcome))
    const orphan = postmasterOf(dataDir)
    await killed.kill('SIGKILL')
    expect(process.kill(orphan, 0)).toBe(true)
    const next = await startInProcess({ dataDir, env })
    expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
    expect(postmasterOf(dataDir)).not.toBe(orphan)
    await next.kill('SIGTERM')
  })

  it('of PostgreSQL in the middle of a query: it is told, and the next start recovers', async () => {
    const running = await startInProcess({ dataDir })
    await writeNote(address(running.outcome))
    const client = await connect(address(running.outcome))
    const busy = client.query('select sum(i) from generate_series(1, 1000000000) i').catch(() => 'cut off')
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    expect(await running.nextLine()).toBe('postgres ended')
    await running.kill('SIGKILL')
    const next = await startInProcess({ dataDir })
    expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
    expect(await busy).toBe('cut off')
    await next.kill('SIGTERM')
  })

  it('whose process number somebody else has now: that process is left alone', async () => {
    const running = await startInProcess({ dataDir })
    await writeNote(address(running.outcome))
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    expect(await running.nextLine()).toBe('postgres ended')
    await running.kill('SIGKILL')
    const bystander = startBystander()
    const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid')
    const socketLock = join(dataDir, 'postgres', '.s.PGSQL.5432.lock')
    for (const path of [pidFile, socketLock]) {
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, String(bystander.pid)))
    }
    const next = await startInProcess({ dataDir })
    expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
    await next.kill('SIGTERM')
  })

  it('while the database was being created: the next start creates it anew', async () => {
    mkdirSync(join(dataDir, 'postgres.unfinished-1', 'data', 'base'), { recursive: true })
    const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true })
    expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
    expect(() => statSync(join(dataDir, 'postgres.unfinished-1'))).toThrow('ENOENT')
  })
})

it('is not ended by Ctrl-C, which is for this process to obey', async () => {
  const running = await startInProcess({ dataDir })
  running.signalGroup('SIGINT')
  expect(await running.nextLine()).toBe('still answers')
  await running.kill('SIGTERM')
})

describe.runIf(asRoot)('as root', () => {
  it('runs in a folder that nobody else can enter, with and without user namespaces, on the same data', async () => {
    chmodSync(folder, 0o700)
    const first = await startInProcess({ dataDir })
    await writeNote(address(first.outcome))
    await first.kill('SIGTERM')
    for (const env of [withoutPrograms('unshare'), {}]) {
      const next = await startInProcess({ dataDir, env })
      expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
      await next.kill('SIGTERM')
    }
  })

  it('says what to do where PostgreSQL cannot be anyone else', async () => {
    const { outcome } = await startInProcess({ dataDir, env: withoutPrograms('unshare', 'setpriv') })
    expect(outcome).toMatchObject({
      refusal: expect.stringContaining('as an ordinary user'),
    })
  })
})

describe.runIf(nobodyCanRun)('as an ordinary user', () => {
  it('creates, keeps and recovers a database', async () => {
    chownSync(folder, nobody, nobody)
    const first = await startInProcess({ dataDir, uid: nobody })
    await writeNote(address(first.outcome))
    await first.kill('SIGKILL')
    const next = await startInProcess({ dataDir, uid: nobody })
    expect(await readNotes(address(next.outcome))).toEqual([{ text: 'committed' }])
    await next.kill('SIGTERM')
  })

  it('is refused a folder that it may not write, and nothing is created there', async () => {
    chmodSync(folder, 0o755)
    const { outcome } = await startInProcess({ dataDir, uid: nobody })
    expect(outcome).toMatchObject({
      refusal: expect.stringContaining(`${dataDir} cannot be written`),
    })
    expect(() => statSync(dataDir)).toThrow('ENOENT')
  })

  it('is refused the database of another user', async () => {
    await (await startEmbeddedPostgres({ dataDir, throwaway: true })).stop()
    chmodSync(folder, 0o755)
    const { outcome } = await startInProcess({ dataDir, uid: nobody })
    expect(outcome).toMatchObject({ refusal: expect.stringContaining('belongs to another user (id 0)') })
  })
})

const writeNote = (connectionString: string) =>
  query(connectionString, `create table note (text text); insert into note values ('committed')`)
const readNotes = (connectionString: string) => query(connectionString, 'select text from note')

function postmasterOf(path: string): number {
  return Number.parseInt(readFileSync(join(path, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
}

function startBystander(): ChildProcess {
  const bystander = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  bystanders.push(bystander)
  return bystander
}

/** An environment in which these programs refuse to work. */
function withoutPrograms(...names: string[]): NodeJS.ProcessEnv {
  const path = mkdtempSync(join(folder, 'path-'))
  for (const name of names) writeFileSync(join(path, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return { PATH: `${path}:${process.env.PATH}` }
}
