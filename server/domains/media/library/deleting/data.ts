import { type RawBuilder, sql } from 'kysely'
import { can } from '../../../../../contract/permissions.ts'
import type { Db } from '../../../../db/client.ts'
import { after, type PageRequest, positionOf, rowsFor, skipOf } from '../../../../db/cursor.ts'
import type { Audience, Viewer } from '../../../../viewer.ts'
import { mediaFor } from '../../data.ts'
import { countBuyers } from '../../entitlements/data.ts'
import { restorableAfter } from '../rules.ts'

/** The item was deleted within the last 30 days, by its owner, who may take that back. */
export function restorable(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(
    media.deleted_at is not null and media.deleted_at > ${restorableAfter(now)} and media.purged_at is null
    and media.deleted_by = media.creator_id
  )`
}

const deleted = sql.ref<Date>('media.deleted_at')
const id = sql.ref<string>('media.id')

/** The person's own that they may take back, the last deleted first, and one row more than the page. */
export async function listDeleted(
  db: Db,
  audience: Audience & { id: string },
  request: { page: PageRequest; now: Date },
) {
  const { page, now } = request
  return (
    mediaFor(db, audience, now)
      .select([sql<Date>`media.deleted_at`.as('deletedAt'), positionOf(deleted, id).as('position')])
      .where('media.creator_id', '=', audience.id)
      .where(restorable(now))
      .$if(page.cursor !== undefined, (rest) => rest.where(after(page.cursor ?? '', deleted, id)))
      .orderBy(deleted, 'desc')
      .orderBy(id, 'desc')
      // A literal, so that the one plan of the prepared statement is made for few rows.
      .limit(sql.lit(rowsFor(page)))
      .$if(skipOf(page) > 0, (rest) => rest.offset(skipOf(page)))
      .execute()
  )
}

/** Whether this person may delete all of these: their own, or by their role anybody's, and not deleted yet. */
export async function mayDelete(db: Db, viewer: Viewer, mediaIds: string[]): Promise<boolean> {
  const wanted = [...new Set(mediaIds)]
  const { found } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$if(!can(viewer, 'media.deleteAll'), (query) => query.where('creator_id', '=', viewer.id))
    .executeTakeFirstOrThrow()
  return found === wanted.length
}

/** Who keeps at least one of these items, and the titles of products that contain one of them. */
export async function findDeletionEffects(db: Db, mediaIds: string[]) {
  const buyers = await countBuyers(db, mediaIds)
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
