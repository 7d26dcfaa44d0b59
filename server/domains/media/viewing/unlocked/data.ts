import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import {
  behind,
  type Page,
  type PageRequest,
  positionOf,
  skipOf,
  timeAndId,
  toPage,
} from '../../../../db/cursor.ts'
import { prepare } from '../../../../db/prepare.ts'
import type { Signer } from '../../../../signer.ts'
import type { MediaReader, Viewer } from '../../../../viewer.ts'
import { depicted, SHOWN_COLUMNS, watermarked } from '../../data.ts'
import { linksFor, type MediaItem, presentMedia } from '../../present.ts'

/**
 * What a person has unlocked, newest first (core §7 premiumcontent). An item is as new as the moment it became
 * theirs: bought, or added to a subscription that they already had.
 */
export async function listPremium(
  db: Db,
  viewer: Pick<Viewer, 'id' | 'role'>,
  request: {
    showing: 'all' | 'images' | 'videos'
    page: PageRequest
    signer: Signer
    reader: MediaReader
    now: Date
  },
): Promise<Page<MediaItem>> {
  const { showing, page, now } = request
  const skip = skipOf(page)
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  const rows = await unlocked(db, {
    userId: viewer.id,
    operator: viewer.role === 'superadmin',
    images: showing === 'images',
    videos: showing === 'videos',
    rows: page.limit + 1,
    skip: skip > 0 ? String(skip) : null,
    lastTime: last?.time ?? null,
    lastId: last?.id ?? null,
    now,
  })
  const links = linksFor(request.signer, request.reader, now)
  return toPage(rows, page, (row) => presentMedia(row, links))
}

type Values = {
  userId: string
  operator: boolean
  images: boolean
  videos: boolean
  rows: number
  skip: string | null
  lastTime: string | null
  lastId: string | null
  now: Date
}

const unlocked = prepare((db, values: Values) => {
  const person = { id: values.userId, role: values.operator ? ('superadmin' as const) : null }
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .innerJoin(newest(values).as<'newest'>('newest'), 'newest.media_id', 'media.id')
    .select([...SHOWN_COLUMNS, 'creator.username'])
    .select([sql<boolean>`true`.as('viewable'), sql<boolean>`true`.as('owned')])
    .select([depicted(person).as('depicted'), watermarked(person).as('watermarked')])
    .select(positionOf(sql.ref('newest.since'), sql.ref('newest.media_id')).as('position'))
    .orderBy(sql`newest.since`, 'desc')
    .orderBy(sql`newest.media_id`, 'desc')
})

/**
 * One page of what is unlocked for the person, each item once, since when. What was bought is read in its order and
 * only as far as the page goes; of subscriptions, everything that their plans hold.
 */
function newest(values: Values): RawBuilder<{ media_id: string; since: Date }> {
  const { userId, rows, skip } = values
  const most = skip === null ? sql.lit(rows) : sql`${sql.lit(rows)} + ${skip}::bigint`
  return sql`(
    select media_id, since from (
      (
        select mine.media_id, mine.granted_at as since from entitlement_media as mine
        where mine.user_id = ${userId} and ${standing(sql`mine.entitlement_id`)}
          and ${wanted(values, sql`mine.granted_at`, sql`mine.media_id`)}
          and not exists (
            select from entitlement_media as earlier
            where earlier.user_id = ${userId} and earlier.media_id = mine.media_id
              and (earlier.granted_at, earlier.entitlement_id) < (mine.granted_at, mine.entitlement_id)
              and ${standing(sql`earlier.entitlement_id`)} offset 0
          )
          and not exists (
            select ${bySubscription(values)} and included.id = mine.media_id and ${SINCE} < mine.granted_at offset 0
          )
        order by mine.granted_at desc, mine.media_id desc limit ${most}
      ) union all (
        select * from (
          select included.id as media_id, min(${SINCE}) as since ${bySubscription(values)} group by included.id
        ) as subscribed
        where ${wanted(values, sql`since`, sql`media_id`)}
          and not exists (
            select from entitlement_media as bought
            where bought.user_id = ${userId} and bought.media_id = subscribed.media_id
              and bought.granted_at <= subscribed.since and ${standing(sql`bought.entitlement_id`)} offset 0
          )
        order by since desc, media_id desc limit ${most}
      )
    ) as unlocked
    order by since desc, media_id desc limit ${sql.lit(rows)} ${skip === null ? sql`` : sql`offset ${skip}::bigint`}
  )`
}

/** Since when an item of a subscription is there for its subscriber. */
const SINCE = sql`greatest(entitlements.granted_at, included.created_at)`

// `offset 0` keeps each of these a few probes of an index for the rows at hand.

function bySubscription({ userId, now }: Values): RawBuilder<unknown> {
  return sql`
    from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id, lateral (
      select id, created_at from media where id = subscription_plan_media.media_id and deleted_at is null offset 0
    ) as included
    where entitlements.user_id = ${userId} and entitlements.plan_id is not null and entitlements.revoked_at is null
      and entitlements.valid_until > ${now}`
}

/** The grant was not taken back. */
function standing(entitlementId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select from entitlements where id = ${entitlementId} and revoked_at is null offset 0)`
}

function wanted(
  { images, videos, lastTime, lastId }: Values,
  since: RawBuilder<Date>,
  id: RawBuilder<string>,
) {
  const type = images ? sql.lit('image') : sql.lit('video')
  const ofType = images || videos ? sql`(select type from media where media.id = ${id}) = ${type}` : sql`true`
  const further =
    lastTime === null || lastId === null ? sql`true` : behind({ time: lastTime, id: lastId }, since, id)
  return sql`${ofType} and ${further}`
}
