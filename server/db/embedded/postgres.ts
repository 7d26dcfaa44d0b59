import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { StartError } from '../../errors.ts'
import { makeFolder } from '../../start/data-folder.ts'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { connectionString, database, openCluster, serverRole } from './cluster.ts'
import { freeEndpoint } from './endpoint.ts'
import { fromFileSystem } from './failures.ts'
import { clearLeftovers } from './leftovers.ts'
import { takeLock } from './lock.ts'
import type { Postmaster } from './postmaster.ts'
import { startPostmaster } from './postmaster.ts'
import type { Endpoint } from './settings.ts'
import { postgresArguments } from './settings.ts'

/** A PostgreSQL that lives and dies with this process. */
export type EmbeddedPostgres = {
  /** `postgresql://` address of its database, password included; the host is a percent-encoded folder for a Unix socket. */
  connectionString: string
  /** The same database as a role that owns nothing; its password is new at each start. */
  serverConnectionString: string
  /** Ends all connections and stops it cleanly; a second call waits for the first. */
  stop(): Promise<void>
  /** Calls back when PostgreSQL ended without `stop()`, at once if it already has. */
  onExit(callback: () => void): void
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which it creates the first time.
 * Recovers by itself from this process or PostgreSQL having been killed.
 * @param options.throwaway for tests: faster, and lost when the machine stops
 * @param options.log gets PostgreSQL's own log, line by line
 * @throws StartError with one sentence for the operator: unwritable or foreign folder, in use, no binaries, full disk
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  throwaway?: boolean
  log?: (line: string) => void
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const release = await lockFolder(dataDir)
  try {
    const postmaster = await launch(dataDir, options.throwaway ?? false, options.log ?? (() => {}))
    const stopping = () => postmaster.stop().finally(release)
    let stopped: Promise<void> | undefined
    return {
      connectionString: postmaster.connectionString,
      serverConnectionString: postmaster.serverConnectionString,
      stop: () => {
        stopped ??= stopping()
        return stopped
      },
      onExit: postmaster.onExit,
    }
  } catch (error) {
    release()
    throw fromFileSystem(error, dataDir)
  }
}

/** Another process has the lock of the data folder. */
export class FolderInUse extends StartError {}

async function lockFolder(dataDir: string): Promise<() => void> {
  let release: (() => void) | null
  try {
    await makeFolder(dataDir)
    release = takeLock(join(dataDir, 'postgres.lock'))
  } catch (error) {
    throw fromFileSystem(error, dataDir)
  }
  if (release) return release
  throw new FolderInUse(
    `Another process is already running on the data folder ${dataDir}: stop it first, or choose another folder with DATA_DIR.`,
  )
}

async function launch(
  dataDir: string,
  throwaway: boolean,
  log: (line: string) => void,
): Promise<Postmaster & { connectionString: string; serverConnectionString: string }> {
  const binaries = await findBinaries()
  const account = chooseAccount()
  const cluster = await openCluster({ dataDir, binaries, account, throwaway })
  await clearLeftovers(cluster)
  const endpoint = await freeEndpoint(cluster.folder)
  const postmaster = await startPostmaster({
    command: [
      ...account.prefix,
      binaries.postgres,
      '-D',
      cluster.data,
      ...postgresArguments({ throwaway, endpoint }),
    ],
    folder: cluster.folder,
    log,
  })
  const password = randomBytes(24).toString('hex')
  try {
    await ensureDatabase(cluster, endpoint, password)
  } catch (error) {
    await postmaster.stop()
    throw error
  }
  return {
    ...postmaster,
    connectionString: connectionString(cluster, endpoint, database),
    serverConnectionString: connectionString({ password, role: serverRole }, endpoint, database),
  }
}

async function ensureDatabase(cluster: Cluster, endpoint: Endpoint, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: connectionString(cluster, endpoint, 'postgres') })
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
    const role = await client.query('select from pg_roles where rolname = $1', [serverRole])
    const does = role.rowCount === 0 ? 'create' : 'alter'
    await client.query(`${does} role ${serverRole} login password '${password}'`)
  } finally {
    await client.end()
  }
}
