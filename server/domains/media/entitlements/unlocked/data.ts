import { type RawBuilder, sql } from 'kysely'
import type { Signer } from '../../../../crypto/signer.ts'
import type { Db } from '../../../../db/client.ts'
import { type Page, type PageRequest, rowsFor, skipOf, timesAndId, toPage } from '../../../../db/cursor.ts'
import { prepare } from '../../../../db/prepare.ts'
import type { Audience, Companion } from '../../../../viewer.ts'
import { FEED_COLUMNS, released, sellable, watermarked } from '../../data.ts'
import { wordPatterns } from '../../library/rules.ts'
import { type FeedItem, linksFor, presentFeedItem } from '../../present.ts'
import { paidFor, subscribedCreators, theirVersion } from '../data.ts'

/**
 * Filters for the list of unlocked items: one creator, or words that must all occur in the title or the creator's
 * names.
 */
type Wanted = {
  showing: 'all' | 'images' | 'videos'
  /** A username. */
  creator?: string | undefined
  search?: string | undefined
}

/**
 * A person's unlocked items, newest first (docs/decisions/016-unlocked-feed.md). An item's age counts from when it
 * became theirs: bought, or added to a subscription that they already had.
 */
export async function listPremium(
  db: Db,
  audience: Audience & { id: string },
  request: Wanted & {
    page: PageRequest
    signer: Signer
    companion: Companion
    now: Date
  },
): Promise<Page<FeedItem>> {
  const { page, now } = request
  const rows = await unlocked(db, valuesOf(audience, request))
  const links = linksFor(request.signer, request.companion, now)
  return toPage(rows, page, (row) => presentFeedItem(row, links))
}

/** The ids of all that a person has unlocked, in the same order. */
export async function listUnlockedIds(
  db: Db,
  audience: Audience & { id: string },
  request: { page: PageRequest; now: Date },
): Promise<Page<string>> {
  const rows = await unlockedIds(db, valuesOf(audience, { ...request, showing: 'all' }))
  return toPage(rows, request.page, ({ media_id }) => media_id)
}

function valuesOf(
  audience: Audience & { id: string },
  { showing, creator, search, page, now }: Wanted & { page: PageRequest; now: Date },
): Values {
  const skip = skipOf(page)
  const last = page.cursor === undefined ? null : timesAndId(page.cursor)
  return {
    userId: audience.id,
    viewsAll: audience.viewsAll,
    images: showing === 'images',
    videos: showing === 'videos',
    creator: creator?.toLowerCase() ?? null,
    words: wordPatterns(search ?? ''),
    rows: rowsFor(page),
    skip: skip > 0 ? String(skip) : null,
    lastSince: last?.times[0] ?? null,
    lastDate: last?.times[1] ?? null,
    lastId: last?.id ?? null,
    now,
  }
}

type Values = {
  userId: string
  viewsAll: boolean
  images: boolean
  videos: boolean
  creator: string | null
  words: string[]
  rows: number
  skip: string | null
  lastSince: string | null
  lastDate: string | null
  lastId: string | null
  now: Date
}

const position = sql<string>`newest.since || '|' || newest.date || '|' || newest.media_id`.as('position')

const unlocked = prepare((db, values: Values) => {
  const person = { id: values.userId, viewsAll: values.viewsAll }
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .innerJoin(newest(values).as<'newest'>('newest'), 'newest.media_id', 'media.id')
    .select([...FEED_COLUMNS, 'creator.username'])
    .select([sql<boolean>`true`.as('viewable'), sql<boolean>`true`.as('owned')])
    .select(watermarked(person).as('watermarked'))
    .select(theirVersion(values.userId).as('their_version'))
    .select(position)
    .orderBy(sql`newest.since`, 'desc')
    .orderBy(sql`newest.date`, 'desc')
    .orderBy(sql`newest.media_id`, 'desc')
})

const unlockedIds = prepare((db, values: Values) =>
  db
    .selectFrom(newest(values).as<'newest'>('newest'))
    .select(['newest.media_id', position])
    .orderBy('newest.since', 'desc')
    .orderBy('newest.date', 'desc')
    .orderBy('newest.media_id', 'desc'),
)

/**
 * One page of what is unlocked for the person, each item once, since when. What came at one moment with a subscription
 * stands by its own date, as its index does; `date` is that of what was bought, too. Each source is read in its order
 * and only as far as the page goes, so that neither many purchases nor large plans make a page slower.
 */
function newest(values: Values): RawBuilder<{ media_id: string; since: Date; date: Date }> {
  const { userId, creator, rows, skip } = values
  const ofCreator = (other: RawBuilder<unknown>) =>
    creator === null
      ? sql``
      : sql`and ${other} = (select id from users where lower(username) = ${creator}::text)`
  const most = skip === null ? sql.lit(rows) : sql`${sql.lit(rows)} + ${skip}::bigint`
  return sql`(
    select media_id, since, date from (
      (
        select mine.media_id, mine.granted_at as since, mine.granted_at as date from entitlement_media as mine
        where mine.user_id = ${userId} ${ofCreator(sql`mine.creator_id`)} and ${notRevoked(sql`mine.entitlement_id`)}
          and ${hasWords(values, sql`mine.media_id`)}
          and exists (select from media where id = mine.media_id and ${released} offset 0)
          and ${isWanted(values, sql`(select type from media_versions where id = mine.version_id)`)} and ${isFurther(values, sql`mine.granted_at`, sql`mine.media_id`)}
          and not exists (
            select from entitlement_media as earlier
            where earlier.user_id = ${userId} and earlier.media_id = mine.media_id
              and (earlier.granted_at, earlier.entitlement_id) < (mine.granted_at, mine.entitlement_id)
              and ${notRevoked(sql`earlier.entitlement_id`)} offset 0
          )
          and not (${subscribes(values)} and exists (
            select ${bySubscription(values, sql`mine.media_id`)} and other.since < mine.granted_at
              and exists (select from media where id = mine.media_id and deleted_at is null offset 0) offset 0
          ))
        order by mine.granted_at desc, mine.media_id desc limit ${most}
      ) union all (
        select held.* from entitlements cross join lateral (
          (${publishedSince(values, most)}) union all (${publishedBefore(values, most)})
        ) as held
        where ${isPaidFor(sql`entitlements`, values)}
          ${ofCreator(sql`(select creator_id from subscription_plans where id = entitlements.plan_id)`)}
        order by held.since desc, held.date desc, held.media_id desc limit ${most}
      )
    ) as unlocked
    order by since desc, date desc, media_id desc
    limit ${sql.lit(rows)} ${skip === null ? sql`` : sql`offset ${skip}::bigint`}
  )`
}

/** A plan's items that came while the person was subscribed already: theirs since they were published. */
function publishedSince(values: Values, most: RawBuilder<unknown>): RawBuilder<unknown> {
  const [date, id] = [sql`plan.media_created_at`, sql`plan.media_id`]
  return sql`
    select plan.media_id, plan.media_created_at as since, plan.media_created_at as date
    from subscription_plan_media as plan
    where plan.plan_id = entitlements.plan_id and plan.media_created_at > entitlements.granted_at
      and ${isFurther(values, date, id)} and ${isHeld(values, date)}
    order by plan.media_created_at desc, plan.media_id desc limit ${most}`
}

/** A plan's items that were there before: theirs since they subscribed. */
function publishedBefore(values: Values, most: RawBuilder<unknown>): RawBuilder<unknown> {
  const { lastSince, lastDate, lastId } = values
  const since = sql`entitlements.granted_at`
  // Of a subscription that began at the position's own moment what stands behind it, of an older one everything.
  const further =
    lastSince === null
      ? sql`true`
      : sql`${since} <= ${lastSince}::timestamptz and (plan.media_created_at, plan.media_id) < (
          case when ${since} = ${lastSince}::timestamptz then ${lastDate}::timestamptz else 'infinity' end,
          ${lastId}::uuid)`
  return sql`
    select plan.media_id, entitlements.granted_at as since, plan.media_created_at as date
    from subscription_plan_media as plan
    where plan.plan_id = entitlements.plan_id and plan.media_created_at <= ${since}
      and ${further} and ${isHeld(values, since)}
    order by plan.media_created_at desc, plan.media_id desc limit ${most}`
}

/** Whether an item of a plan belongs on the list: there, of the type, and the person's by nothing else earlier. */
function isHeld(values: Values, since: RawBuilder<unknown>): RawBuilder<unknown> {
  const { userId } = values
  return sql`exists (select from media where id = plan.media_id and ${sellable} offset 0)
    and ${isWanted(values, sql`(select type from media where media.id = plan.media_id)`)}
    and ${hasWords(values, sql`plan.media_id`)}
    and not exists (
      select from entitlement_media as bought
      where bought.user_id = ${userId} and bought.media_id = plan.media_id and bought.granted_at <= ${since}
        and ${notRevoked(sql`bought.entitlement_id`)} offset 0
    )
    and not exists (
      select ${bySubscription(values, sql`plan.media_id`)} and (other.since, other.id) < (${since}, entitlements.id) offset 0
    )`
}

// `offset 0` keeps each of these a few probes of an index for the rows at hand.

/** The person's subscriptions that hold this item as `other`, with since when. */
function bySubscription(values: Values, mediaId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    from subscription_plan_media as included cross join lateral (
      select paid.id, greatest(paid.granted_at, included.media_created_at) as since from entitlements as paid
      where paid.plan_id = included.plan_id and ${isPaidFor(sql`paid`, values)} offset 0
    ) as other
    where included.media_id = ${mediaId}`
}

/** Checked once a page, so that nothing is scanned for people without subscriptions. */
function subscribes(values: Values): RawBuilder<unknown> {
  return sql`exists (select from entitlements as paid where ${isPaidFor(sql`paid`, values)})`
}

const isPaidFor = (alias: RawBuilder<unknown>, { userId, now }: Values) => paidFor(alias, userId, now)

/** The grant was not taken back. */
function notRevoked(entitlementId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from entitlements where id = ${entitlementId} and revoked_at is null offset 0)`
}

function isWanted({ images, videos }: Values, type: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!images && !videos) return sql`true`
  return sql`${type} = ${sql.lit(images ? 'image' : 'video')}`
}

function hasWords({ words }: Values, mediaId: RawBuilder<unknown>): RawBuilder<unknown> {
  if (words.length === 0) return sql`true`
  const text = sql`(media.title || ' ' || creator.username || ' ' || creator.first_name)`
  return sql`exists (
    select from media join users as creator on creator.id = media.creator_id
    where media.id = ${mediaId} and ${sql.join(
      words.map((word) => sql`${text} ilike ${word}`),
      sql` and `,
    )} offset 0
  )`
}

const MAX_CREATORS = 200

/** The creators of what a person has unlocked, by their names. Each is found by one step of an index, however much is theirs. */
export async function listPremiumCreators(db: Db, userId: string, now: Date) {
  const { rows } = await sql<{ id: string; username: string }>`
    with recursive step as (
      (select creator_id as id from entitlement_media where user_id = ${userId} order by creator_id limit 1)
      union all
      select (
        select creator_id from entitlement_media where user_id = ${userId} and creator_id > step.id
        order by creator_id limit 1
      ) from step where step.id is not null
    ), bought as (
      select id from step where exists (
        select from entitlement_media as mine where mine.user_id = ${userId} and mine.creator_id = step.id
          and ${notRevoked(sql`mine.entitlement_id`)}
          and exists (select from media where id = mine.media_id and ${released} offset 0) offset 0
      )
    )
    select users.id, users.username from users
      join (select id from bought union ${subscribedCreators(userId, now)}) as creators using (id)
    order by lower(users.username) limit ${sql.lit(MAX_CREATORS)}`.execute(db)
  return rows
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Behind the position, of what is as old as its own date: beside an older date of the same moment it came before. */
function isFurther(
  { lastSince, lastDate, lastId }: Values,
  time: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) {
  if (lastSince === null) return sql`true`
  return sql`(${time}, ${id}) < (${lastSince}::timestamptz,
    case when ${lastDate}::timestamptz = ${lastSince}::timestamptz then ${lastId}::uuid else ${sql.lit(FIRST_ID)}::uuid end)`
}
