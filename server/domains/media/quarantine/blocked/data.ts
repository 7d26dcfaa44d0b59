import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'

/** For which items a file is blocked, by its SHA-256 in hex, why, and whether they are still there. */
export async function listBlocks(db: Db, sha256: string) {
  return db
    .selectFrom('blocked_files')
    .leftJoin('media', 'media.id', 'blocked_files.media_id')
    .select(['media_id as mediaId', 'ground', 'blocked_at as blockedAt', 'media.id as existing'])
    .where('blocked_files.sha256', '=', sha256)
    .orderBy('blocked_at')
    .execute()
}

/** Whether a file, named by the SHA-256 of its bytes in hex, can't be uploaded again. */
export async function isBlocked(db: Db, sha256: string): Promise<boolean> {
  const found = await db
    .selectFrom('blocked_files')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether an external gif, by its embed URL, can't be added again. */
export const isBlockedGif = (embed: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (
    select from blocked_files where blocked_files.sha256 = encode(sha256(convert_to(${embed}, 'UTF8')), 'hex') offset 0)`
