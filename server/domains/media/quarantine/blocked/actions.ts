import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { TakedownGround } from '../../../../../contract/takedowns.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { isBlocked } from './data.ts'

/** What is blocked of a version: the SHA-256 of its file, or of the address of an external gif, which has no bytes here. */
const fingerprint = sql<
  string | null
>`case when red_gif <> '' then encode(sha256(convert_to(red_gif, 'UTF8')), 'hex') else sha256 end`

/** Blocks the files and gifs of an item, of each of its versions, from being uploaded or added again. Answers how many there are. */
export async function blockFiles(
  db: Tx,
  { mediaId, ground, now }: { mediaId: string; ground: TakedownGround; now: Date },
): Promise<number> {
  const versions = await db
    .selectFrom('media_versions')
    .select(fingerprint.$notNull().as('sha256'))
    .distinct()
    .where('media_id', '=', mediaId)
    .where(fingerprint, 'is not', null)
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
    const entry = {
      actorId: null,
      action: 'media.unblocked' as const,
      targetKind: 'media' as const,
      targetId,
    }
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

/** The same for an external gif, by its embed URL. Throws `media_blocked`. */
export async function requireUnblockedGif(db: Tx, embed: string): Promise<void> {
  if (!(await mayPublish(db, createHash('sha256').update(embed).digest('hex'))))
    throw new AppError('media_blocked')
}

const lockFile = (db: Tx, sha256: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`file ${sha256}`}, 0))`.execute(db)
