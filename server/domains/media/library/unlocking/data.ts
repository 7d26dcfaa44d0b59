import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { afterRank, type PageRequest, rankPositionOf, skipOf } from '../../../../db/cursor.ts'
import { released } from '../../data.ts'
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

export type UnlockableRow = Awaited<ReturnType<typeof listUnlockable>>[number]

/** A creator's locked items in their order, without what this person has for good; one row more than the page holds. */
export function listUnlockable(db: Db, creatorId: string, customerId: string | null, page: PageRequest) {
  const { cursor } = page
  return db
    .selectFrom('media')
    .select(['id', 'title', 'type', 'price_cents', 'created_at'])
    .select((eb) => sql<string>`${rankPositionOf(eb.ref('media.rank'), eb.ref('media.id'))}`.as('position'))
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .where(released)
    .where('must_unlock', '=', true)
    .$if(customerId !== null, (query) => query.where((eb) => eb.not(boughtAnyVersion(customerId ?? ''))))
    .$if(cursor !== undefined, (query) =>
      query.where((eb) => afterRank(cursor ?? '', eb.ref('media.rank'), eb.ref('media.id'))),
    )
    .orderBy('media.rank', 'desc')
    .orderBy('media.id', 'desc')
    .offset(skipOf(page))
    .limit(page.limit + 1)
    .execute()
}
