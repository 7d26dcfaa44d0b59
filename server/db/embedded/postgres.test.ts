import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StartError } from '../../errors.ts'
import { startEmbeddedPostgres } from './postgres.ts'
import { address, query, startInProcess } from './testing.ts'

let folder: string
let dataDir: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postgres-test-'))
  dataDir = join(folder, 'data')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('startEmbeddedPostgres', () => {
  it('creates a database that only its owner can read, and keeps it for the next start', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    await query(first.connectionString, 'create table note (text text); insert into note values ($$kept$$)')
    await first.stop()
    expect(mode(join(dataDir, 'postgres', 'password'))).toBe(0o600)
    expect(mode(join(dataDir, 'postgres', 'data'))).toBe(0o700)

    const second = await startEmbeddedPostgres({ dataDir })
    expect(await query(second.connectionString, 'select text from note')).toEqual([{ text: 'kept' }])
    expect(second.connectionString).toBe(first.connectionString)
    await second.stop()
  })

  it('lets the server in as a role that owns nothing, by another password at each start', async () => {
    const who =
      'select current_user as name, rolsuper or rolcreaterole as mighty from pg_roles where rolname = current_user'
    const addresses = new Set<string>()
    for (let start = 0; start < 2; start += 1) {
      const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true })
      addresses.add(postgres.serverConnectionString)
      expect(await query(postgres.serverConnectionString, who)).toEqual([
        { name: 'fanfare_app', mighty: false },
      ])
      expect(await query(postgres.connectionString, who)).toEqual([{ name: 'fanfare', mighty: true }])
      await postgres.stop()
    }
    expect(addresses.size).toBe(2)
  })

  it('commits safely by default and quickly when the database is for throwing away', async () => {
    const settings = `select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding') order by name`
    for (const [throwaway, value] of [
      [false, 'on'],
      [true, 'off'],
    ] as const) {
      const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, value), throwaway })
      expect(await query(postgres.connectionString, settings)).toEqual([
        { name: 'fsync', setting: value },
        { name: 'full_page_writes', setting: value },
        { name: 'server_encoding', setting: 'UTF8' },
        { name: 'synchronous_commit', setting: value },
      ])
      await postgres.stop()
    }
  })

  it('asks for the password', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, throwaway: true })
    const wrong = postgres.connectionString.replace(/:[0-9a-f]+@/, ':wrong@')
    await expect(query(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await postgres.stop()
  })

  it('listens on 127.0.0.1 where the path is too long for a Unix socket', async () => {
    const postgres = await startEmbeddedPostgres({
      dataDir: join(folder, 'long'.repeat(25)),
      throwaway: true,
    })
    expect(new URL(postgres.connectionString).hostname).toBe('127.0.0.1')
    expect(await query(postgres.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('hands over the log of PostgreSQL, says nothing of an exit that was asked for, and stops once', async () => {
    const lines: string[] = []
    const ended = vi.fn()
    const postgres = await startEmbeddedPostgres({
      dataDir,
      throwaway: true,
      log: (line) => lines.push(line),
    })
    postgres.onExit(ended)
    await Promise.all([postgres.stop(), postgres.stop()])
    expect(lines.join('\n')).toContain('database system is shut down')
    expect(ended).not.toHaveBeenCalled()
  })
})

describe('two starts on one folder', () => {
  it('in two processes at once: one runs, the other says so', async () => {
    const both = await Promise.all([startInProcess({ dataDir }), startInProcess({ dataDir })])
    const refused = both.filter(({ outcome }) => 'refusal' in outcome)
    const running = both.filter(({ outcome }) => 'connectionString' in outcome)
    expect(refused.map(({ outcome }) => outcome)).toEqual([inUse()])
    expect(await query(address(running[0]?.outcome), 'select 1 as one')).toEqual([{ one: 1 }])
    await running[0]?.kill('SIGTERM')
  })

  it('in one process: the second is refused, the first goes on, and stopping frees the folder', async () => {
    const first = await startEmbeddedPostgres({ dataDir, throwaway: true })
    const { refusal } = inUse()
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(new StartError(refusal))
    expect(await query(first.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    await (await startEmbeddedPostgres({ dataDir, throwaway: true })).stop()
  })
})

describe('a start that cannot be', () => {
  it('below a file: names the folder and leaves the file as it was', async () => {
    writeFileSync(join(folder, 'file'), 'text')
    const refused = await refusal({ dataDir: join(folder, 'file', 'data') })
    expect(refused).toMatch(/^The data folder .*file\/data cannot be written: give this user the right/)
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('text')
  })

  it('on the data of another version: names both and does not touch the data', async () => {
    const data = join(dataDir, 'postgres', 'data')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'PG_VERSION'), '17\n')
    expect(await refusal({ dataDir })).toContain('is of PostgreSQL 17 and this is 18')
    expect(readFileSync(join(data, 'PG_VERSION'), 'utf8')).toBe('17\n')
  })

  it('without the password: names its file, and frees the folder again', async () => {
    await (await startEmbeddedPostgres({ dataDir, throwaway: true })).stop()
    const path = join(dataDir, 'postgres', 'password')
    const password = readFileSync(path)
    rmSync(path)
    expect(await refusal({ dataDir })).toBe(`${path} is missing: restore it from your backup.`)
    writeFileSync(path, password)
    await (await startEmbeddedPostgres({ dataDir, throwaway: true })).stop()
  })

  it('on damaged data: gives the reason of PostgreSQL itself', async () => {
    await (await startEmbeddedPostgres({ dataDir, throwaway: true })).stop()
    rmSync(join(dataDir, 'postgres', 'data', 'global', 'pg_control'))
    expect(await refusal({ dataDir })).toMatch(
      /^PostgreSQL cannot start with the data in .*\(but could not open file .*pg_control/,
    )
  })

  it('without programs for this machine: says how to get them', async () => {
    const { outcome } = await startInProcess({
      dataDir,
      before: `Object.defineProperty(process, 'arch', { value: 'mips' })`,
    })
    expect(outcome).toMatchObject({
      refusal: expect.stringContaining('run `npm ci` again'),
    })
  })
})

function inUse() {
  return {
    refusal: `Another process is already running on the data folder ${dataDir}: stop it first, or choose another folder with DATA_DIR.`,
  }
}

async function refusal(options: { dataDir: string }): Promise<string> {
  const error = await startEmbeddedPostgres(options).catch((reason: unknown) => reason)
  if (error instanceof StartError) return error.message
  throw new Error('It was not refused with a StartError.', { cause: error })
}

const mode = (path: string) => statSync(path).mode & 0o777
