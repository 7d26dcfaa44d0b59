import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../../db/client.ts'
import { behind, type PageRequest, positionOf, skipOf, timeAndId } from '../../../../db/cursor.ts'
import { prepare } from '../../../../db/prepare.ts'
import type { MediaTables } from '../../../../db/tables/media.ts'
import type { Audience } from '../../../../viewer.ts'
import { reachable } from '../../../profiles/data.ts'
import { FEED_COLUMNS, ownedOnPage } from '../../data.ts'

export type DiscoverRequest = { tagIds: string[]; page: PageRequest; now: Date }

/**
 * Everything that is shown in search and free to see, newest first; with tags only what carries any of them. One row
 * more than the page, to tell whether another follows.
 */
export function listDiscover(db: Db, audience: Audience, { tagIds, page, now }: DiscoverRequest) {
  const skip = skipOf(page)
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return discover(db, {
    viewerId: audience.id,
    reachesAll: audience.reachesAll,
    viewsAll: audience.viewsAll,
    country: audience.place.country || null,
    region: audience.place.region || null,
    tagIds: [...new Set(tagIds)],
    rows: page.limit + 1,
    skip: skip > 0 ? String(skip) : null,
    lastTime: last?.time ?? null,
    lastId: last?.id ?? null,
    now,
  })
}

type Values = {
  viewerId: string | null
  reachesAll: boolean
  viewsAll: boolean
  country: string | null
  region: string | null
  tagIds: string[]
  rows: number
  skip: string | null
  lastTime: string | null
  lastId: string | null
  now: Date
}

const audienceIn = ({ viewerId, reachesAll, viewsAll, country, region }: Values): Audience => ({
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
      .select([...FEED_COLUMNS, 'media.username', positionOf(created, id).as('position')])
      .select(ownedOnPage(audience, values.now).as('owned'))
      // Who finds an item here may see it: it is free, and its creator is there for them.
      .select([sql<boolean>`true`.as('viewable'), sql<boolean>`false`.as('watermarked')])
      .orderBy(created, 'desc')
      .orderBy(id, 'desc')
  )
})

const [created, id] = [sql.ref<Date>('media.created_at'), sql.ref<string>('media.id')]

// Literal flags and limits: the one plan of a prepared statement has to know the index, and that few rows are wanted.
const discoverable = sql`media.deleted_at is null and media.quarantined_at is null and media.show_in_search
  and not media.must_unlock and not media.direct_only`

function pageOf(values: Values): RawBuilder<Selectable<MediaTables['media']> & { username: string }> {
  const { tagIds, skip } = values
  const shown = sql`select media.*, creator.username from`
  if (tagIds.length === 0 && skip === null)
    return sql`(
      ${shown} media join users as creator on creator.id = media.creator_id
      where ${discoverable} and ${isThere(values)} and ${isFurther(values, created, id)}
      order by media.created_at desc, media.id desc ${cut(values)}
    )`
  // Said of the item itself too, so that nothing is shown that only its index still holds.
  return sql`(
    ${shown} (${tagIds.length > 0 ? carrying(values) : skipping(values)}) as found
    join media on media.id = found.id join users as creator on creator.id = media.creator_id
    where ${discoverable}
  )`
}

/** What stands behind the rows to skip, of which no more than an index is read. */
function skipping(values: Values): RawBuilder<unknown> {
  return sql`
    select media.id from media
    where ${discoverable} and media.creator_id not in (${invisibleCreators(audienceIn(values))})
    order by media.created_at desc, media.id desc ${cut(values)}`
}

/**
 * Each tag's items in their order, merged, so that an item which carries several of them stands there several times in
 * a row. Who is hidden or out of reach is left out before the limit of each: a page is full while there is more to show.
 */
function carrying(values: Values): RawBuilder<unknown> {
  const { tagIds, rows, skip } = values
  const most = skip === null ? sql.lit(rows) : sql`${sql.lit(rows)} + ${skip}::bigint`
  // Asked for each row of a page, but where many rows are skipped looked up in the set of all who are not there.
  const visible =
    skip === null
      ? sql`exists (select from users as creator where creator.id = media_tags.creator_id and ${isThere(values)} offset 0)`
      : sql`creator_id not in (${invisibleCreators(audienceIn(values))})`
  const branches = tagIds.map(
    (tagId) => sql`(
      select media_id as id, created_at from media_tags
      where tag_id = ${tagId}::uuid and discoverable and ${visible}
        and ${isFurther(values, sql`created_at`, sql`media_id`)}
      order by created_at desc, media_id desc limit ${most}
    )`,
  )
  return sql`
    select distinct created_at, id from (${sql.join(branches, sql` union all `)}) as carried
    order by created_at desc, id desc ${cut(values)}`
}

/** Whether the `creator` of a query is not hidden, reachable for this audience, and not blocked by them. */
function isThere(values: Values): RawBuilder<SqlBool> {
  const { viewerId, reachesAll } = values
  const wanted =
    viewerId === null || reachesAll
      ? sql`true`
      : sql`not exists (select from blocks where blocker_id = ${viewerId} and blocked_id = creator.id offset 0)`
  return sql<SqlBool>`creator.hidden_at is null and ${reachable(audienceIn(values))} and ${wanted}`
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

function isFurther({ lastTime, lastId }: Values, time: RawBuilder<Date>, id: RawBuilder<string>) {
  return lastTime === null || lastId === null ? sql`true` : behind({ time: lastTime, id: lastId }, time, id)
}

function cut({ rows, skip }: Values): RawBuilder<unknown> {
  return sql`limit ${sql.lit(rows)} ${skip === null ? sql`` : sql`offset ${skip}::bigint`}`
}

type Rows = ReturnType<typeof listDiscover>

/** How long visitors may see a page as it was, in milliseconds; what was locked or hidden since is gone after it. */
const FRESH_MS = 1000
/** Pages kept at once, of a few kilobytes each. */
const MAX_PAGES = 300

const pagesOf = new WeakMap<Db, LRUCache<string, { readAt: number; rows: Rows }>>()

/**
 * The first pages of discover for visitors, who all see the same at the same place: read once for all who ask within a
 * second. Rows only: links are made for each viewer. Further pages by cursor are read anew.
 */
export function listDiscoverForVisitors(db: Db, visitor: Audience, request: DiscoverRequest): Rows {
  const { place } = visitor
  const read = () => listDiscover(db, visitor, request)
  const { cursor, limit, skip = 0 } = request.page
  if (cursor !== undefined) return read()
  const pages = pagesOf.get(db) ?? new LRUCache({ max: MAX_PAGES })
  pagesOf.set(db, pages)
  const key = JSON.stringify([place.country, place.region, limit, skip, request.tagIds])
  const now = request.now.getTime()
  const kept = pages.get(key)
  if (kept && now - kept.readAt < FRESH_MS) return kept.rows
  const page = { readAt: now, rows: read() }
  pages.set(key, page)
  page.rows.catch(() => pages.peek(key) === page && pages.delete(key))
  return page.rows
}
