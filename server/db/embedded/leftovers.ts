import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '../../errors.ts'
import type { Cluster } from './cluster.ts'

const patience = 60_000

/**
 * Clears away what a run that was killed left behind: a PostgreSQL that still runs is stopped, and files that name
 * a process which is not PostgreSQL are removed, since their number may have been given to somebody else.
 * The caller holds the lock of the folder, so whatever runs in it belongs to nobody anymore.
 * @throws StartError when the old PostgreSQL does not stop within a minute
 */
export async function clearLeftovers({ data, folder }: Cluster): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  const pid = Number(existsSync(pidFile) ? (await readFile(pidFile, 'utf8')).split('\n')[0] : Number.NaN)
  if (Number.isInteger(pid) && pid > 0) {
    if (isPostmasterOf(data, pid)) await end(pid, 'SIGINT', () => isPostmasterOf(data, pid))
    // A number that nobody has is left to PostgreSQL, which then also looks for workers that still run.
    if (exists(pid)) await rm(pidFile, { force: true })
  }
  // A worker in the middle of a long query does not notice by itself that its PostgreSQL is gone.
  await Promise.all(workersOn(data).map((worker) => end(worker, 'SIGQUIT', () => isWorkerOn(data, worker))))
  const sockets = (await readdir(folder)).filter((name) => name.startsWith('.s.PGSQL.'))
  await Promise.all(sockets.map((name) => rm(join(folder, name), { force: true })))
}

/** Ends a process by one of the signals of https://www.postgresql.org/docs/18/server-shutdown.html */
async function end(pid: number, signal: NodeJS.Signals, isThere: () => boolean): Promise<void> {
  process.kill(pid, signal)
  const deadline = Date.now() + patience
  while (isThere()) {
    if (Date.now() > deadline) {
      throw new StartError(
        `PostgreSQL of an earlier run (process ${pid}) does not stop: end it with \`kill -9 ${pid}\`.`,
      )
    }
    await wait(20)
  }
}

/** Whether this process is the main process of a running PostgreSQL (no zombie) on this folder. */
function isPostmasterOf(data: string, pid: number): boolean {
  try {
    if (!hasProc) {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
        `-D ${data}`,
      )
    }
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return isPostgres(pid) && args[args.indexOf('-D') + 1] === data
  } catch {
    return false
  }
}

/** Workers have no arguments of their own, but they work in the folder. */
function workersOn(data: string): number[] {
  if (!hasProc) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isWorkerOn(data, pid))
}

function isWorkerOn(data: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data && isPostgres(pid)
  } catch {
    return false
  }
}

const hasProc = existsSync('/proc/self/exe')

/** A program that was replaced since, by another `npm ci`, has ' (deleted)' after its path. */
function isPostgres(pid: number): boolean {
  return basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '') === 'postgres'
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
