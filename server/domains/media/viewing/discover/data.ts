import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../../db/client.ts'
import {
  behind,
  idIn,
  type PageRequest,
  positionOf,
  rowsFor,
  skipOf,
  timeAndId,
} from '../../../../db/cursor.ts'
import { prepare } from '../../../../db/prepare.ts'
import type { MediaTables } from '../../../../db/tables/media.ts'
import type { Audience } from '../../../../viewer.ts'
import { blockedBy, reachable } from '../../../profiles/data.ts'
import { cheapestMonthCents, FEED_COLUMNS, ownedOnPage, released } from '../../data.ts'

export type DiscoverRequest = {
  tagIds: string[]
  type?: 'image' | 'video' | undefined
  sort?: 'new' | 'popular' | undefined
  page: PageRequest
  now: Date
}

/**
 * Everything that is shown in search and free to see, newest or most popular first (docs/decisions/033-popular.md); with
 * tags only what carries any of them. At least one row more than the page has, if another follows.
 */
export function listDiscover(db: Db, audience: Audience, request: DiscoverRequest) {
  const { tagIds, type, sort, page, now } = request
  const skip = skipOf(page)
  const popular = sort === 'popular'
  const last = page.cursor === undefined ? null : placeIn(page.cursor, popular)
  return discover(db, {
    viewerId: audience.id,
    reachesAll: audience.reachesAll,
    viewsAll: audience.viewsAll,
    country: audience.place.country || null,
    region: audience.place.region || null,
    tagIds: [...new Set(tagIds)],
    popular,
    videos: type === undefined ? null : type === 'video',
    rows: rowsFor(page),
    skip: skip > 0 ? String(skip) : null,
    lastTime: last?.time ?? null,
    lastId: last?.id ?? null,
    now,
  })
}

/**
 * A cursor names the item and its time. Its popularity stays on the server, as it would tell how many fans the
 * creator has.
 */
function placeIn(cursor: string, popular: boolean): { time: string | null; id: string } {
  return popular ? { time: null, id: idIn(cursor) } : timeAndId(cursor)
}

type Who = {
  viewerId: string | null
  reachesAll: boolean
  viewsAll: boolean
  country: string | null
  region: string | null
}

type Values = Who & {
  tagIds: string[]
  popular: boolean
  videos: boolean | null
  rows: number
  skip: string | null
  lastTime: string | null
  lastId: string | null
  now: Date
}

const audienceIn = ({ viewerId, reachesAll, viewsAll, country, region }: Who): Audience => ({
  id: viewerId,
  place: { country, region },
  reachesAll,
  viewsAll,
})

const discover = prepare((db, values: Values) => {
  const audience = audienceIn(values)
  return (
    db
      .with(
        (cte) => cte('page').materialized(),
        () => pageOf(values),
      )
      .selectFrom('page as media')
      .select([...FEED_COLUMNS, 'media.creator_id', 'media.username', positionIn(values).as('position')])
      .select(profileImage.as('profile_image'))
      .select(ownedOnPage(audience, values.now).as('owned'))
      // Everything listed here is visible to the viewer: it is free, and they may see its creator.
      .select([sql<boolean>`true`.as('viewable'), sql<boolean>`false`.as('watermarked')])
      .orderBy(sql`media.${keyOf(values)}`, 'desc')
      .orderBy(id, 'desc')
  )
})

const id = sql.ref<string>('media.id')
const profileImage = sql<
  string | null
>`(select profile_image from profiles where profiles.user_id = media.creator_id)`

/** The column that the feed stands by: of an item, and of a row of a tag. */
const keyOf = ({ popular }: Values) => sql.raw(popular ? 'popularity' : 'created_at')

const positionIn = ({ popular }: Values) =>
  popular ? sql<string>`${id}::text` : positionOf(sql.ref<Date>('media.created_at'), id)

// Literal flags and limits: the one plan of a prepared statement has to know the index, and that few rows are wanted.
const discoverable = sql`media.deleted_at is null and ${released} and media.show_in_search
  and not media.must_unlock and not media.direct_only`

function pageOf(values: Values): RawBuilder<Selectable<MediaTables['media']> & { username: string }> {
  const { tagIds, skip } = values
  const shown = sql`select media.*, creator.username from`
  if (tagIds.length === 0 && skip === null)
    return sql`(
      ${shown} media join users as creator on creator.id = media.creator_id
      where ${discoverable} ${ofType(values)} and ${isThere(values)} and ${isFurther(values, sql`media.${keyOf(values)}`, id)}
      order by media.${keyOf(values)} desc, media.id desc ${cut(values)}
    )`
  // Said of the item itself too, so that nothing is shown that only its index still holds.
  return sql`(
    ${shown} (${tagIds.length > 0 ? carrying(values) : skipping(values)}) as found
    join media on media.id = found.id join users as creator on creator.id = media.creator_id
    where ${discoverable} ${ofType(values)}
  )`
}

/** A literal, as the flags are. */
const ofType = ({ videos }: Values) =>
  videos === null ? sql`` : sql`and type = ${sql.lit(videos ? 'video' : 'image')}`

/** The keys after the skipped rows; those are read from an index alone. */
function skipping(values: Values): RawBuilder<unknown> {
  return sql`
    select media.id from media
    where ${discoverable} ${ofType(values)} and media.creator_id not in (${invisibleCreators(audienceIn(values))})
    order by media.${keyOf(values)} desc, media.id desc ${cut(values)}`
}

/**
 * Each tag's items in their order, merged, so that an item which carries several of them stands there several times in
 * a row. Who is hidden or out of reach is left out before the limit of each: a page is full while there is more to show.
 */
function carrying(values: Values): RawBuilder<unknown> {
  const { tagIds, rows, skip } = values
  const key = keyOf(values)
  const most = skip === null ? sql.lit(rows) : sql`${sql.lit(rows)} + ${skip}::bigint`
  // Asked for each row of a page, but where many rows are skipped looked up in the set of all who are not there.
  const visible =
    skip === null
      ? sql`exists (select from users as creator where creator.id = media_tags.creator_id and ${isThere(values)} offset 0)`
      : sql`creator_id not in (${invisibleCreators(audienceIn(values))})`
  const branches = tagIds.map(
    (tagId) => sql`(
      select media_id as id, ${key} from media_tags
      where tag_id = ${tagId}::uuid and discoverable ${ofType(values)} and ${visible}
        and ${isFurther(values, key, sql`media_id`)}
      order by ${key} desc, media_id desc limit ${most}
    )`,
  )
  return sql`
    select distinct ${key}, id from (${sql.join(branches, sql` union all `)}) as carried
    order by ${key} desc, id desc ${cut(values)}`
}

/**
 * Whether the `creator` of a query is not hidden, reachable for this audience, and not blocked by them. Unlike `visible`,
 * nobody is shown here who is suspended: operators look for them elsewhere.
 */
function isThere(values: Who): RawBuilder<SqlBool> {
  const audience = audienceIn(values)
  const blocked = values.reachesAll ? sql`false` : blockedBy(values.viewerId, 'creator')
  return sql<SqlBool>`creator.hidden_at is null and ${reachable(audience)} and not ${blocked}`
}

/** Everybody who is hidden, not `reachable` for this audience, or blocked by them. */
function invisibleCreators({ id, reachesAll, place }: Audience): RawBuilder<unknown> {
  const hidden = sql`select id from users where hidden_at is not null`
  if (reachesAll) return hidden
  const blockers =
    id === null
      ? sql``
      : sql`union all select blocker_id from blocks where blocked_id = ${id}
          union all select blocked_id from blocks where blocker_id = ${id}`
  if (!place.country) return sql`${hidden} ${blockers}`
  return sql`${hidden} ${blockers} union all
    select creator_id from geo_blocks
    where country = ${place.country} and region in ('', ${place.region ?? ''})
      and creator_id is distinct from ${id}::uuid`
}

function isFurther({ popular, lastTime, lastId }: Values, key: RawBuilder<unknown>, id: RawBuilder<string>) {
  if (lastId === null) return sql`true`
  if (popular)
    return sql`(${key}, ${id}) < ((select popularity from media where id = ${lastId}::uuid), ${lastId}::uuid)`
  return behind({ time: lastTime ?? '', id: lastId }, key as RawBuilder<Date>, id)
}

function cut({ rows, skip }: Values): RawBuilder<unknown> {
  return sql`limit ${sql.lit(rows)} ${skip === null ? sql`` : sql`offset ${skip}::bigint`}`
}

/** As many as stand in one row of a page that is swept along. */
const MAX_CREATORS = 20

/** Creators who have published something, those with the most followers, subscribers and buyers first. */
export function listCreators(db: Db, { id, reachesAll, viewsAll, place }: Audience) {
  return creators(db, {
    viewerId: id,
    reachesAll,
    viewsAll,
    country: place.country || null,
    region: place.region || null,
  })
}

const creators = prepare((db, values: Who) =>
  db
    .selectFrom('creator_popularity as popularity')
    .innerJoin('users as creator', 'creator.id', 'popularity.creator_id')
    .select(['creator.id', 'creator.username', cheapestMonthCents])
    .select(
      sql<string | null>`(select profile_image from profiles where user_id = creator.id)`.as('profile_image'),
    )
    .where('creator.is_creator', '=', sql.lit(true))
    .where(isThere(values))
    .where(
      sql<SqlBool>`exists (
        select from media where media.creator_id = creator.id and deleted_at is null and not direct_only and published
          and ${released} offset 0
      )`,
    )
    .orderBy('popularity.fans', 'desc')
    .orderBy('popularity.creator_id', 'desc')
    .limit(sql.lit(MAX_CREATORS)),
)

/** How long visitors may see a list as it was, in milliseconds; what was locked or hidden since is gone after it. */
const FRESH_MS = 1000
/** Lists kept at once, of a few kilobytes each. */
const MAX_LISTS = 300

/**
 * Lists that all visitors of a place see alike: read once for all who ask within a second. Rows only: links are made for
 * each viewer.
 */
function keptForVisitors<Rows>() {
  const listsOf = new WeakMap<Db, LRUCache<string, { readAt: number; rows: Promise<Rows> }>>()
  return (db: Db, key: unknown[], at: Date, read: () => Promise<Rows>): Promise<Rows> => {
    const lists = listsOf.get(db) ?? new LRUCache({ max: MAX_LISTS })
    listsOf.set(db, lists)
    const name = JSON.stringify(key)
    const now = at.getTime()
    const kept = lists.get(name)
    if (kept && now - kept.readAt < FRESH_MS) return kept.rows
    const list = { readAt: now, rows: read() }
    lists.set(name, list)
    list.rows.catch(() => lists.peek(name) === list && lists.delete(name))
    return list.rows
  }
}

const keptPages = keptForVisitors<Awaited<ReturnType<typeof listDiscover>>>()
const keptCreators = keptForVisitors<Awaited<ReturnType<typeof listCreators>>>()

/**
 * Cache of discover's first pages for visitors, who all see the same at the same place. Later pages, by cursor,
 * aren't cached.
 */
export function listDiscoverForVisitors(db: Db, visitor: Audience, request: DiscoverRequest) {
  const { country, region } = visitor.place
  const { cursor, limit, skip = 0 } = request.page
  const read = () => listDiscover(db, visitor, request)
  if (cursor !== undefined) return read()
  const { tagIds, type, sort, now } = request
  return keptPages(db, [country, region, limit, skip, type, sort, tagIds], now, read)
}

/** The creators whom visitors of a place see. */
export function listCreatorsForVisitors(db: Db, visitor: Audience, now: Date) {
  const { country, region } = visitor.place
  return keptCreators(db, [country, region], now, () => listCreators(db, visitor))
}

/** An item, and how popular it should be. */
export type Misplaced = { id: string; popularity: string }

/** The items of these creators that stand elsewhere in discover than they should (docs/decisions/033-popular.md). */
export async function listMisplaced(db: Db, creators: string[], limit: number): Promise<Misplaced[]> {
  // In steps of a tenth of a power of e, so that one more item moves few of those behind it. What is free is published,
  // which is said too for the index of each creator's newest items.
  const { rows } = await sql<Misplaced>`
    select id, should.popularity::text as popularity from (
      select id, media.popularity as is_now, round(10 * ln((1 + fans)::float8
        / row_number() over (partition by creator_id order by created_at desc, id desc)))::numeric as popularity
      from media join creator_popularity using (creator_id)
      where ${discoverable} and published and creator_id = any(${creators}::uuid[])
    ) as should
    where is_now <> should.popularity limit ${limit}
  `.execute(db)
  return rows
}
