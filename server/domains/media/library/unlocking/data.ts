import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { boughtAnyVersion } from '../../entitlements/data.ts'

/**
 * An item that is not deleted, held in its current version until the end, and whether this person has it for good: their
 * own, bought or given. Null when there is none.
 */
export async function findUnlockable(
  db: Db,
  mediaId: string,
  userId: string,
): Promise<{ has: boolean; versionId: string } | null> {
  const item = await db
    .selectFrom('media')
    .select('version_id as versionId')
    .select(sql<boolean>`(creator_id = ${userId} or ${boughtAnyVersion(userId)})`.as('has'))
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return item ?? null
}
