import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'

/** An item that is not deleted, and whether this person has it for good: their own, bought or given. Null when there is none. */
export async function findUnlockable(
  db: Db,
  mediaId: string,
  userId: string,
): Promise<{ has: boolean } | null> {
  const item = await db
    .selectFrom('media')
    .select(
      sql<boolean>`(creator_id = ${userId} or exists (
        select from entitlement_media join entitlements on entitlements.id = entitlement_media.entitlement_id
        where entitlement_media.user_id = ${userId} and entitlement_media.media_id = media.id
          and entitlements.revoked_at is null
      ))`.as('has'),
    )
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return item ?? null
}
