import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import {
  after,
  afterRank,
  type PageRequest,
  positionOf,
  rankPositionOf,
  rowsFor,
  skipOf,
} from '../../db/cursor.ts'
import { prepare } from '../../db/prepare.ts'
import type { ProfileLink } from '../../db/tables/profiles.ts'
import type { Audience } from '../../viewer.ts'
import { visible } from '../profiles/data.ts'
import {
  bought,
  boughtAnyVersion,
  boughtVersionId,
  subscribed,
  theirVersion,
  unlockedOnPage,
} from './entitlements/data.ts'

/**
 * Price of a month, in cents, of the cheapest subscription that the `creator` of a query sells; null while there is
 * none.
 */
export const cheapestMonthCents = sql<number | null>`(
  select min(price_cents) from subscription_plans
  where creator_id = creator.id and deleted_at is null and retired_at is null
)`.as('month_cents')

/** Not taken down by the operator, which overrides every grant, the owner's and the operators' too. */
export const released = sql<boolean>`media.quarantined_at is null`

/** Whether everyone who may see the creator sees the item for free. */
export const freeForAll = sql<boolean>`(media.deleted_at is null and not media.must_unlock and not media.direct_only)`

/** Whether an item may be part of what is sold: neither deleted, nor taken down, nor for those alone whom it is sent to. */
export const sellable = sql<boolean>`(media.deleted_at is null and ${released} and not media.direct_only)`

/**
 * Their own, or unlocked for them in any version. What its owner deleted, or made private, remains for those who bought
 * it and is in no subscription anymore.
 */
export function owned(
  { id }: Pick<Audience, 'id'>,
  now: Date,
  facts: Pick<Facts, 'boughtAnyVersion' | 'subscribed'> | null = null,
): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  const { boughtAnyVersion: had, subscribed: lent } = facts ?? hadBy(id, now)
  return sql<boolean>`(${released} and (${isTheirs(id)} or ${had} or ${lent}))`
}

/** `owned` for the rows of a feed's page, a CTE named `page`: what the person has of all of them is looked up at once. */
export function ownedOnPage({ id }: Pick<Audience, 'id'>, now: Date): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  return sql<boolean>`((media.deleted_at is null and media.creator_id = ${id}) or ${unlockedOnPage(id, now)})`
}

/**
 * The one rule of who may see the bytes of an item's current version: its owner, operators who see everything, people
 * for whom it is unlocked, and everybody if it is neither locked nor private and they may see its creator; nobody
 * while it is taken down. To be used with `media` and its `creator` in the query.
 */
export function viewable(audience: Audience, now: Date, facts: Facts | null = null): RawBuilder<boolean> {
  const { id } = audience
  const known = facts ?? { ...hadBy(id, now), visible: visible(audience) }
  const open = sql<boolean>`(not media.must_unlock and not media.direct_only and ${known.visible})`
  const allowed = audience.viewsAll ? sql<boolean>`true` : open
  const theirs =
    id === null
      ? sql<boolean>`false`
      : sql<boolean>`(${isTheirs(id)} or ${known.bought} or ${known.subscribed})`
  return sql<boolean>`(${released} and ((media.deleted_at is null and ${allowed}) or ${theirs}))`
}

/** The facts from which `viewable` and `owned` follow; a query that asks for both reads them once. */
type Facts = {
  bought: RawBuilder<boolean>
  boughtAnyVersion: RawBuilder<boolean>
  subscribed: RawBuilder<boolean>
  visible: RawBuilder<SqlBool>
}

function hadBy(id: string | null, now: Date): Omit<Facts, 'visible'> {
  const no = sql<boolean>`false`
  if (id === null) return { bought: no, boughtAnyVersion: no, subscribed: no }
  return { bought: bought(id), boughtAnyVersion: boughtAnyVersion(id), subscribed: subscribed(id, now) }
}

const isTheirs = (id: string) => sql<boolean>`(media.deleted_at is null and media.creator_id = ${id})`

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

/** The people depicted, told to the owner and the operator only. An empty list means the creator alone. */
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

/** The columns that `presentFeedItem` reads of the item itself. */
export const FEED_COLUMNS = [
  'media.id',
  'media.type',
  'media.red_gif',
  'media.title',
  'media.price_cents',
  'media.duration_seconds',
  'media.width',
  'media.height',
  'media.thumbhash',
  'media.variants',
  'media.version_id',
  'media.show_in_store',
] as const

/** The further columns that `presentMedia` reads. */
const FURTHER_COLUMNS = [
  'media.creator_id',
  'media.description',
  'media.show_in_search',
  'media.reddit_promotion',
  'media.must_unlock',
  'media.direct_only',
  'media.tag_ids',
  'media.created_at',
  'media.damaged',
] as const

const TAKEDOWN_COLUMNS = ['media.quarantined_at', 'media.quarantine_ground', 'media.quarantine_note'] as const

/** Media items as this person may see them, everything that `presentMedia` needs in one query. */
export function mediaFor(db: Db, audience: Audience, now: Date) {
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, ...FURTHER_COLUMNS])
    .select(['creator.username', ...TAKEDOWN_COLUMNS])
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
      .limit(sql.lit(rowsFor(page)))
      .$if(skipOf(page) > 0, (rest) => rest.offset(skipOf(page)))
  )
}

/**
 * One item, or null when this person may not know of it: deleted, private, not published, or of somebody who is hidden
 * or out of their reach, and not theirs to see. What is taken down only its owner and operators know of.
 */
export async function findMedia(db: Db, audience: Audience, mediaId: string, now: Date) {
  const [row] = await oneItem(db, askedBy(audience, mediaId, now))
  return row ?? null
}

/** The same with how its creator introduces themselves. */
export async function findMediaView(db: Db, audience: Audience, mediaId: string, now: Date) {
  const [row] = await oneItemWithCreator(db, askedBy(audience, mediaId, now))
  return row ?? null
}

type Asked = ReturnType<typeof askedBy>

function askedBy({ id, reachesAll, viewsAll, place }: Audience, mediaId: string, now: Date) {
  return {
    mediaId,
    viewerId: id,
    reachesAll,
    viewsAll,
    country: place.country || null,
    region: place.region || null,
    now,
  }
}

const oneItem = prepare(knownItem)

const oneItemWithCreator = prepare((db, asked: Asked) =>
  knownItem(db, asked)
    .innerJoin('profiles', 'profiles.user_id', 'creator.id')
    .leftJoin('account_deletions', 'account_deletions.user_id', 'creator.id')
    .select(['creator.first_name', 'profiles.profile_image', 'account_deletions.due_at as erasedAt'])
    .select(sql<ProfileLink[]>`profiles.links`.as('links')),
)

function knownItem(db: Db, { mediaId, viewerId, reachesAll, viewsAll, country, region, now }: Asked) {
  const audience = { id: viewerId, reachesAll, viewsAll, place: { country, region } }
  const had = sql<string | null>`facts.had`
  const facts = {
    boughtAnyVersion: sql<boolean>`${had} is not null`,
    bought: sql<boolean>`(${had} is not null and (media.deleted_at is null or ${had} = media.version_id))`,
    subscribed: sql<boolean>`facts.subscribed`,
    visible: sql<boolean>`facts.visible`,
  }
  const seen = viewable(audience, now, facts)
  const theirs = owned(audience, now, facts)
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .innerJoinLateral(
      sql`(
        select ${boughtVersionId(viewerId)} as had, ${hadBy(viewerId, now).subscribed} as subscribed,
          ${visible(audience)} as visible offset 0
      )`.as('facts'),
      (join) => join.onTrue(),
    )
    .select([...FEED_COLUMNS, ...FURTHER_COLUMNS, 'creator.username', ...TAKEDOWN_COLUMNS])
    .select([seen.as('viewable'), theirs.as('owned')])
    .select([depicted(audience).as('depicted'), watermarked(audience).as('watermarked')])
    .select(theirVersion(viewerId, had).as('their_version'))
    .where('media.id', '=', mediaId)
    .where(
      sql<boolean>`((
          ${released} and media.deleted_at is null and not media.direct_only and media.published and ${facts.visible}
        ) or ${seen} or ${theirs} or ${mayKnowOfTakedown(audience)})`,
    )
}

/**
 * Items that were taken down are still listed for their owner, who is told so, and for operators, who may release
 * them.
 */
function mayKnowOfTakedown({ id, viewsAll }: Audience): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  const person = viewsAll ? sql`true` : sql`(media.creator_id = ${id} and media.deleted_at is null)`
  return sql<boolean>`(media.quarantined_at is not null and ${person})`
}
