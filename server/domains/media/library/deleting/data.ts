import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import type { Viewer } from '../../../../viewer.ts'

/** Whether this person may delete all of these: their own, or as a superadmin anybody's, and not deleted yet. */
export async function mayDelete(db: Db, viewer: Viewer, mediaIds: string[]): Promise<boolean> {
  const wanted = [...new Set(mediaIds)]
  const { found } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$if(viewer.role !== 'superadmin', (query) => query.where('creator_id', '=', viewer.id))
    .executeTakeFirstOrThrow()
  return found === wanted.length
}

/** Who keeps at least one of these items, and what is sold with one of them in it, by title. */
export async function findDeletionEffects(db: Db, mediaIds: string[]) {
  const { buyers } = await db
    .selectFrom('entitlement_media')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_media.entitlement_id')
    .select((eb) => eb.fn.count<number>('entitlement_media.user_id').distinct().as('buyers'))
    .where('entitlement_media.media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('entitlements.revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  const bundles = await db
    .selectFrom('bundles')
    .select(['id', 'title'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id in (select bundle_id from bundle_media where media_id = any(${mediaIds}::uuid[]))`)
    .orderBy('title')
    .orderBy('id')
    .execute()
  const subscriptions = await db
    .selectFrom('subscription_plans')
    .select(['id', 'title'])
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`id in (select plan_id from subscription_plan_media where media_id = any(${mediaIds}::uuid[]))`,
    )
    .orderBy('title')
    .orderBy('id')
    .execute()
  return { buyers, bundles, subscriptions }
}
