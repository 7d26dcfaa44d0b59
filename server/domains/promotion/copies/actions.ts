import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { JobPayload } from '../../../jobs/catalogue.ts'
import { discard, enqueue } from '../../../jobs/enqueue.ts'
import { ProcessingStopped } from '../../../ports/video/port.ts'
import { findCopyJob, findVersion } from './data.ts'
import { sourceOf } from './rules.ts'

const FILE = 'copy.mp4'

/** Where the copy of a video with a name on it lies: among the item's files, with which it goes. */
export function videoCopyKey(storageId: string, name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16)
  return `media/${storageId}/copy-${digest}.mp4`
}

type Copy = JobPayload<'posts.copy'>

const lockKeyOf = (key: string) => sql`hashtextextended(${`posts.copy ${key}`}, 0)`

/**
 * Has a job make the copy of this person's video that lies at `key`, unless one is at it or waits for it. Throws
 * `copy_not_made`, once, after its job was given up; asked again, another one begins.
 */
export async function requestVideoCopy(
  { db, clock }: Context,
  { key, ownerId }: { key: string; ownerId: string },
  copy: Copy,
): Promise<void> {
  const givenUp = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${lockKeyOf(key)}) as free`.execute(tx)
    if (!rows[0]?.free) return false
    const job = await findCopyJob(tx, key)
    if (job?.state === 'waiting') return false
    if (job?.state === 'given up') await discard(tx, key)
    else await enqueueCopy(tx, { key, person: ownerId, now: clock.now() }, copy)
    return job?.state === 'given up'
  })
  if (givenUp) throw new AppError('copy_not_made')
}

const enqueueCopy = (tx: Tx, { key, ...turnOf }: { key: string; person: string; now: Date }, copy: Copy) =>
  enqueue(tx, 'posts.copy', copy, { key, turnOf })

/**
 * Makes the copy of a video with a name on it, unless it is there or another process makes it. Safe to run again, and
 * beside a deletion.
 */
export async function makeVideoCopy(context: Context, copy: Copy): Promise<void> {
  const { db } = context
  const version = await findVersion(db, copy.versionId)
  if (!version) return
  const key = videoCopyKey(version.storage_id, copy.name)
  // Held by the session of the database, so that it never outlives a killed process.
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{
      locked: boolean
    }>`select pg_try_advisory_lock(${lockKeyOf(key)}) as locked`.execute(connection)
    if (!rows[0]?.locked) return
    try {
      await makeMissing(context, key, copy)
    } catch (error) {
      if (!(error instanceof ProcessingStopped)) throw error
      const again = { key, person: version.creator_id, now: context.clock.now() }
      await db.transaction().execute((tx) => enqueueCopy(tx, again, copy))
    } finally {
      await sql`select pg_advisory_unlock(${lockKeyOf(key)})`.execute(connection)
    }
  })
}

async function makeMissing(context: Context, key: string, { versionId, name }: Copy): Promise<void> {
  const { db, storage, processor } = context
  if ((await storage.size(key)) !== null) return
  const version = await findVersion(db, versionId)
  const video = version && sourceOf('video', version.variants)
  if (!video) return
  const file = await storage.localPath(`media/${version.storage_id}/${video.name}`)
  if (!file) return
  const outDir = await openFolder(context, key)
  try {
    const made = await processor.copyVideo({ path: file.path, outDir, name: FILE, text: `u/${name}` })
    if (!made.ok) throw new Error(`no copy of a video could be made: ${made.refusal}`)
    await storage.putFile(key, made.path)
    // Its item may have been deleted meanwhile, with all files that were there by then.
    if (!(await findVersion(db, versionId))) await storage.remove(key)
  } finally {
    await file.release()
    await rm(outDir, { recursive: true, force: true })
  }
}

/** A folder for this run alone; those of earlier runs, whose process was killed, go. */
async function openFolder({ config }: Context, key: string): Promise<string> {
  const parent = resolve(config.DATA_DIR, 'processing')
  const prefix = `${key.replaceAll(/[/.]/g, '-')}-`
  await mkdir(parent, { recursive: true })
  for (const entry of await readdir(parent))
    if (entry.startsWith(prefix)) await rm(join(parent, entry), { recursive: true, force: true })
  return mkdtemp(join(parent, prefix))
}
