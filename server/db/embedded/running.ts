import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionString, database } from './cluster.ts'
import { FolderInUse } from './postgres.ts'

/** Lines of `postmaster.pid`, from 0: https://www.postgresql.org/docs/18/storage-file-layout.html */
const PORT_LINE = 3
const SOCKET_LINE = 4
const LISTEN_LINE = 5

/**
 * The address of the embedded PostgreSQL that another process runs on this data folder; null when none answers there.
 * What a killed run left behind names a socket or port on which nobody answers, or on which our password opens nothing.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const folder = join(resolve(dataDir), 'postgres')
  try {
    const lines = (await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
    const password = await readFile(join(folder, 'password'), 'utf8')
    const socketFolder = lines[SOCKET_LINE]?.trim() || null
    if (!socketFolder && !lines[LISTEN_LINE]?.trim()) return null
    const endpoint = { socketFolder, port: Number(lines[PORT_LINE]) }
    const address = connectionString({ password }, endpoint, database)
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000 })
    await client.connect()
    await client.end()
    return address
  } catch {
    return null
  }
}

/** Longer than a first start takes until its database answers, or a stop until it has ended. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 200

/**
 * The address of the embedded PostgreSQL that runs on this data folder, else of the one that `start` starts. Waits for
 * another process that is just starting or stopping one, after calling `onWait`; throws what `start` throws once it
 * took too long.
 */
export async function findOrStartPostgres(
  dataDir: string,
  { start, onWait }: { start: () => Promise<string>; onWait: () => void },
): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS
  for (let waits = false; ; waits = true) {
    const running = await findRunningPostgres(dataDir)
    if (running) return running
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() > deadline) throw error
    }
    if (!waits) onWait()
    await wait(LOOK_EVERY_MS)
  }
}
