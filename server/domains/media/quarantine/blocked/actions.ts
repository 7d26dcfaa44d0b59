import { sql } from 'kysely'
import type { TakedownGround } from '../../../../../contract/takedowns.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import { isBlocked } from './data.ts'

/** Blocks the files of an item, of each of its versions, from being uploaded again. Answers how many there are. */
export async function blockFiles(
  db: Tx,
  { mediaId, ground, now }: { mediaId: string; ground: TakedownGround; now: Date },
): Promise<number> {
  const versions = await db
    .selectFrom('media_versions')
    .select((eb) => eb.ref('sha256').$notNull().as('sha256'))
    .distinct()
    .where('media_id', '=', mediaId)
    .where('sha256', 'is not', null)
    .orderBy('sha256')
    .execute()
  for (const { sha256 } of versions) await lockFile(db, sha256)
  const rows = versions.map(({ sha256 }) => ({ sha256, media_id: mediaId, ground, blocked_at: now }))
  if (rows.length > 0)
    await db
      .insertInto('blocked_files')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['sha256', 'media_id']).doUpdateSet({ ground }))
      .execute()
  return rows.length
}

/**
 * Takes the blocks of an item away; a file that another one was taken down for stays blocked. Answers how many there
 * were.
 */
export async function unblockFiles(db: Tx, mediaId: string): Promise<number> {
  const ended = await db.deleteFrom('blocked_files').where('media_id', '=', mediaId).executeTakeFirst()
  return Number(ended.numDeletedRows)
}

/** Takes every block of a file away, by its SHA-256 in hex, and records each. Answers how many there were. */
export async function unblockFile(
  db: Tx,
  { sha256, reason, now }: { sha256: string; reason: string; now: Date },
): Promise<number> {
  const ended = await db
    .deleteFrom('blocked_files')
    .where('sha256', '=', sha256)
    .returning(['media_id', 'ground'])
    .execute()
  for (const { media_id: targetId, ground } of ended) {
    const entry = { actorId: null, action: 'media.unblocked', targetKind: 'media', targetId }
    await writeAudit(db, { ...entry, reason, detail: { sha256, ground }, now })
  }
  return ended.length
}

/**
 * Whether this file may become media: none that is blocked, and none of which the block is under way, as both wait for
 * each other until the transaction ends.
 */
export async function mayPublish(db: Tx, sha256: string | null): Promise<boolean> {
  if (sha256 === null) return true
  await lockFile(db, sha256)
  return !(await isBlocked(db, sha256))
}

const lockFile = (db: Tx, sha256: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`file ${sha256}`}, 0))`.execute(db)
