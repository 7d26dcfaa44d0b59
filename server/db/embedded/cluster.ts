import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../errors.ts'
import type { Account } from './account.ts'
import { giveTo } from './account.ts'
import type { Binaries } from './binaries.ts'
import { fromPostgres } from './failures.ts'
import type { Endpoint } from './settings.ts'

/** The role that owns everything in it. */
const owner = 'fanfare'
/** The role that the server works as, which owns nothing. */
export const serverRole = 'fanfare_app'
/** The one database in it that is used. */
export const database = 'fanfare'

/** A database cluster on disk. */
export type Cluster = {
  /** PostgreSQL's own folder. */
  data: string
  /** Where its Unix socket goes. */
  folder: string
  password: string
}

/** The address of one of its databases; the host is a percent-encoded folder for a Unix socket. */
export function connectionString(
  { password, role = owner }: Pick<Cluster, 'password'> & { role?: string },
  { socketFolder, port }: Endpoint,
  name: string,
): string {
  const host = socketFolder === null ? '127.0.0.1' : encodeURIComponent(socketFolder)
  return `postgresql://${role}:${password}@${host}:${port}/${name}`
}

const format = '18'

/**
 * Opens the cluster of a data folder; creates it the first time, under a random password in a file of mode 0600.
 * It appears under its name only when it is whole, so an interrupted start leaves nothing half-made.
 * @throws StartError when it is of another PostgreSQL, or cannot be created
 */
export async function openCluster(options: {
  dataDir: string
  binaries: Binaries
  account: Account
  throwaway: boolean
}): Promise<Cluster> {
  const folder = join(options.dataDir, 'postgres')
  const data = join(folder, 'data')
  const version = await readIfThere(join(data, 'PG_VERSION'))
  if (version === null) await createCluster(folder, options)
  else if (version.trim() !== format) {
    throw new StartError(
      `The database in ${folder} is of PostgreSQL ${version.trim()} and this is ${format}: restore a backup into an empty DATA_DIR.`,
    )
  }
  giveTo(options.account, data)
  const password = await readIfThere(join(folder, 'password'))
  if (!password) throw new StartError(`${join(folder, 'password')} is missing: restore it from your backup.`)
  return { data, folder, password }
}

async function createCluster(
  folder: string,
  options: { dataDir: string; binaries: Binaries; account: Account; throwaway: boolean },
): Promise<void> {
  await removeUnfinished(options.dataDir)
  const unfinished = await mkdtemp(join(options.dataDir, unfinishedName))
  const data = join(unfinished, 'data')
  const password = join(unfinished, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 })
  giveTo(options.account, data)

  const [command = '', ...args] = [
    ...options.account.prefix,
    options.binaries.initdb,
    `--pgdata=${data}`,
    `--username=${owner}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // Nobody guesses the password of a database that a test makes, and each connection pays for the rounds.
    ...(options.throwaway ? ['--no-sync', '--no-data-checksums', '--set=scram_iterations=1'] : []),
  ]
  try {
    await promisify(execFile)(command, args, { env: postgresEnvironment() })
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw fromPostgres(
      error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error),
      folder,
    )
  }
  await rename(unfinished, folder)
}

/** The environment of PostgreSQL's programs: none of this process's, whose PG… variables would change them. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

const unfinishedName = 'postgres.unfinished-'

async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(unfinishedName))
  await Promise.all(
    names.map((name) => rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })),
  )
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
