import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { behind, positionOf, rowsFor, timeAndId } from '../../../../db/cursor.ts'
import { prepare } from '../../../../db/prepare.ts'
import type { MediaTables } from '../../../../db/tables/media.ts'
import type { Audience } from '../../../../viewer.ts'
import { blockedBy, visible } from '../../../profiles/data.ts'
import { FEED_COLUMNS, ownedOnPage, released, watermarked } from '../../data.ts'
import { subscribedCreators } from '../../entitlements/data.ts'

/**
 * The newest items of the creators whom a person follows or subscribes to, as far as they may see those. One row
 * more than the page, to tell whether another follows.
 */
export function listNew(
  db: Db,
  audience: Audience & { id: string },
  { page, now }: { page: { limit: number; cursor?: string | undefined }; now: Date },
) {
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return newest(db, {
    userId: audience.id,
    reachesAll: audience.reachesAll,
    viewsAll: audience.viewsAll,
    country: audience.place.country || null,
    region: audience.place.region || null,
    rows: rowsFor({ limit: page.limit, cursor: page.cursor, skip: 0 }),
    lastTime: last?.time ?? null,
    lastId: last?.id ?? null,
    now,
  })
}

type Values = {
  userId: string
  reachesAll: boolean
  viewsAll: boolean
  country: string | null
  region: string | null
  rows: number
  lastTime: string | null
  lastId: string | null
  now: Date
}

const [created, id] = [sql.ref<Date>('media.created_at'), sql.ref<string>('media.id')]

const newest = prepare((db, values: Values) => {
  const { userId, reachesAll, viewsAll, country, region, now } = values
  const audience = { id: userId, reachesAll, viewsAll, place: { country, region } }
  return (
    db
      .with(
        (cte) => cte('page').materialized(),
        () => pageOf(values, audience),
      )
      .selectFrom('page as media')
      .leftJoin('profiles', 'profiles.user_id', 'media.creator_id')
      .select([...FEED_COLUMNS, 'media.creator_id', 'media.created_at', 'media.username'])
      .select(['profiles.profile_image', positionOf(created, id).as('position')])
      .select(ownedOnPage(audience, now).as('owned'))
      // Items that aren't locked are free: the page holds nothing private, and they may see its creators.
      .select(sql<boolean>`${sql.lit(viewsAll)} or not media.must_unlock`.as('free'))
      .select(watermarked(audience).as('watermarked'))
      .orderBy(created, 'desc')
      .orderBy(id, 'desc')
  )
})

/**
 * A page's items are among those of as many creators as it has rows, the ones with the newest first: each creator is
 * asked for one item, and only those for more.
 */
function pageOf(
  values: Values,
  audience: Audience,
): RawBuilder<Selectable<MediaTables['media']> & { username: string }> {
  const { userId, now } = values
  const rows = sql.lit(values.rows)
  return sql`(
    with newest_creators as materialized (
      select users.id, users.username
      from (
        select following_id as id from follows where follower_id = ${userId}
        union ${subscribedCreators(userId, now)}
      ) as followed
      join users on users.id = followed.id
      cross join lateral (${newestOf(sql`users.id`, values, sql`1`)}) as newest
      where ${visible(audience, 'users')} and not ${blockedBy(userId)}
      order by newest.created_at desc, newest.id desc limit ${rows}
    )
    select media.*, newest_creators.username
    from newest_creators cross join lateral (${newestOf(sql`newest_creators.id`, values, rows)}) as media
    order by media.created_at desc, media.id desc limit ${rows}
  )`
}

function newestOf(
  creatorId: RawBuilder<unknown>,
  { lastTime, lastId }: Values,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const further =
    lastTime === null || lastId === null ? sql`true` : behind({ time: lastTime, id: lastId }, created, id)
  return sql`
    select media.* from media
    where media.creator_id = ${creatorId} and media.deleted_at is null and ${released}
      and not media.direct_only and media.published and ${further}
    order by media.created_at desc, media.id desc limit ${limit}`
}
