import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { after, afterRank, type PageRequest, positionOf, rankPositionOf, skipOf } from '../../db/cursor.ts'
import type { Audience } from '../../viewer.ts'
import { visible } from '../profiles/data.ts'

// `offset 0` keeps each of these a few index probes for the rows at hand: without it the planner, who does not know
// how short a page is, reads everything that the person owns first.

/** The item was bought, alone or in a bundle, or otherwise unlocked, and the grant was not taken back. */
function bought(userId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from entitlement_media join entitlements on entitlements.id = entitlement_media.entitlement_id
    where entitlement_media.user_id = ${userId} and entitlement_media.media_id = media.id and entitlements.revoked_at is null
    offset 0
  )`
}

/** The item is in a subscription that is paid for now. */
function subscribed(userId: string, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id
    where entitlements.user_id = ${userId} and entitlements.plan_id is not null and entitlements.revoked_at is null
      and entitlements.valid_until > ${now} and subscription_plan_media.media_id = media.id
    offset 0
  )`
}

/**
 * Their own, or unlocked for them. What its owner deleted, or made private, remains for those who bought it and is in
 * no subscription any more (decisions §4).
 */
export function owned({ id }: Audience, now: Date): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  return sql<boolean>`(
    (media.deleted_at is null and media.creator_id = ${id}) or ${bought(id)}
      or (media.deleted_at is null and not media.direct_only and ${subscribed(id, now)})
  )`
}

/** `owned` for the rows of a feed's page, a CTE named `page`: what the person has of all of them is looked up at once. */
export function ownedOnPage({ id }: Audience, now: Date): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  const ids = sql`any(array(select id from page))`
  return sql<boolean>`(
    (media.deleted_at is null and media.creator_id = ${id})
    or media.id in (
      select entitlement_media.media_id from entitlement_media
      where entitlement_media.user_id = ${id} and entitlement_media.media_id = ${ids} and exists (
        select from entitlements where id = entitlement_media.entitlement_id and revoked_at is null offset 0
      )
    )
    or (media.deleted_at is null and not media.direct_only and media.id in (
      select subscription_plan_media.media_id
      from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id
      where entitlements.user_id = ${id} and entitlements.plan_id is not null and entitlements.revoked_at is null
        and entitlements.valid_until > ${now} and subscription_plan_media.media_id = ${ids}
    ))
  )`
}

/**
 * The one rule of who may see the bytes (decisions §4): owner, operators who see all media, whoever it is unlocked for, and everybody
 * when it is neither locked nor private and its creator is there for them. To be used with `media` and its `creator`
 * in the query.
 */
export function viewable(audience: Audience, now: Date): RawBuilder<boolean> {
  const open = sql<boolean>`(not media.must_unlock and not media.direct_only and ${visible(audience)})`
  const allowed = audience.viewsAll ? sql<boolean>`true` : open
  return sql<boolean>`((media.deleted_at is null and ${allowed}) or ${owned(audience, now)})`
}

/**
 * Whether the item carries this person's name where they look at it: what is not free, when its creator wants it so and
 * it is neither their own nor the operator who looks. A list of one creator's items names them, to ask but once.
 */
export function watermarked(
  { id, viewsAll }: Pick<Audience, 'id' | 'viewsAll'>,
  creatorId: RawBuilder<unknown> = sql`media.creator_id`,
): RawBuilder<boolean> {
  if (id === null || viewsAll) return sql<boolean>`false`
  return sql<boolean>`((media.must_unlock or media.direct_only) and media.creator_id <> ${id}
    and coalesce((select watermark from profiles where user_id = ${creatorId}), false))`
}

/** Who is depicted: told to the owner and the operator only. Nobody named means the creator alone. */
export function depicted({ id, viewsAll }: Pick<Audience, 'id' | 'viewsAll'>): RawBuilder<string[]> {
  const named = sql<string[]>`coalesce(nullif(media.performer_ids, '{}'), array[media.creator_id])`
  if (viewsAll) return named
  return id === null
    ? sql<string[]>`'{}'::uuid[]`
    : sql<string[]>`case when media.creator_id = ${id} then ${named} else '{}' end`
}

/** An order of lists of media, highest first, with the position in it that a cursor names. */
type Order = {
  by: RawBuilder<unknown>
  position: RawBuilder<string>
  after(cursor: string): Expression<SqlBool>
}

const mediaId = sql.ref<string>('media.id')
const created = sql.ref<Date>('media.created_at')
const rank = sql.ref<string>('media.rank')
const NEWEST: Order = {
  by: created,
  position: positionOf(created, mediaId),
  after: (cursor) => after(cursor, created, mediaId),
}
const OWNERS: Order = {
  by: rank,
  position: rankPositionOf(rank, mediaId),
  after: (cursor) => afterRank(cursor, rank, mediaId),
}

/** What `presentMedia` needs of the item itself. */
export const SHOWN_COLUMNS = [
  'media.id',
  'media.creator_id',
  'media.type',
  'media.red_gif',
  'media.title',
  'media.description',
  'media.price_cents',
  'media.duration_seconds',
  'media.width',
  'media.height',
  'media.thumbhash',
  'media.damaged',
  'media.variants',
  'media.show_in_search',
  'media.reddit_promotion',
  'media.must_unlock',
  'media.show_in_store',
  'media.direct_only',
  'media.tag_ids',
  'media.created_at',
] as const

/** Media items as this person may see them, everything that `presentMedia` needs in one query. */
export function mediaFor(db: Db, audience: Audience, now: Date) {
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select(SHOWN_COLUMNS)
    .select('creator.username')
    .select([viewable(audience, now).as('viewable'), owned(audience, now).as('owned')])
    .select([depicted(audience).as('depicted'), watermarked(audience).as('watermarked')])
}

type MediaQuery = ReturnType<typeof mediaFor>

/** The page of these items that was asked for, newest first, and one row more that tells whether another follows. */
export function newestFirst(query: MediaQuery, page: PageRequest) {
  return inOrder(query, page, NEWEST)
}

/** The same in the order that a creator gave their library: newest first until it is moved by hand. */
export function inOwnersOrder(query: MediaQuery, page: PageRequest) {
  return inOrder(query, page, OWNERS)
}

function inOrder(query: MediaQuery, page: PageRequest, order: Order) {
  return (
    query
      .select(order.position.as('position'))
      .$if(page.cursor !== undefined, (rest) => rest.where(order.after(page.cursor ?? '')))
      .orderBy(order.by, 'desc')
      .orderBy(mediaId, 'desc')
      // A literal, so that the one plan of the prepared statement is made for few rows.
      .limit(sql.lit(page.limit + 1))
      .$if(skipOf(page) > 0, (rest) => rest.offset(skipOf(page)))
  )
}

/**
 * One item, or null when this person may not know of it: deleted, private, or of somebody who is hidden or out of their
 * reach, and not theirs to see.
 */
export async function findMedia(db: Db, audience: Audience, mediaId: string, now: Date) {
  const row = await mediaFor(db, audience, now)
    .where('media.id', '=', mediaId)
    .where(
      sql<boolean>`((
          media.deleted_at is null and not media.direct_only and ${visible(audience)}
        ) or ${viewable(audience, now)})`,
    )
    .executeTakeFirst()
  return row ?? null
}

/** Of these items, the ones that the person bought or has by a subscription that is paid for now. */
export async function ownedMediaIds(
  db: Db,
  userId: string,
  mediaIds: string[],
  now: Date,
): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('media')
    .select('media.id')
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where(sql<boolean>`(${bought(userId)} or (media.deleted_at is null and ${subscribed(userId, now)}))`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
