import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Signer } from '../../../crypto/signer.ts'
import type { Db } from '../../../db/client.ts'
import {
  behindRank,
  type PageRequest,
  rankAndId,
  rankPositionOf,
  rowsFor,
  skipOf,
} from '../../../db/cursor.ts'
import { prepare } from '../../../db/prepare.ts'
import type { MediaTables } from '../../../db/tables/media.ts'
import type { Audience, Companion } from '../../../viewer.ts'
import { isPastDue } from '../../identity/customers/data.ts'
import { visible } from '../../profiles/data.ts'
import { FEED_COLUMNS, mediaFor, owned, ownedOnPage, released, viewable, watermarked } from '../data.ts'
import { boughtAnyVersion, boughtItem, theirVersion } from '../entitlements/data.ts'
import { type FeedItem, linksFor, presentFeedItem } from '../present.ts'

export type Filters = {
  type?: 'image' | 'video' | undefined
  mustUnlock?: boolean | undefined
  showInSearch?: boolean | undefined
}

/** A creator's items, locked ones included, in their order; filters count when sent. */
export function listProfile(
  db: Db,
  audience: Audience,
  request: { creatorId: string; filters: Filters; page: PageRequest; now: Date },
) {
  const { type, mustUnlock = null, showInSearch = null } = request.filters
  const videos = type === undefined ? null : type === 'video'
  return listCreatorMedia(db, {
    ...valuesOf(audience, request),
    videos,
    mustUnlock,
    showInSearch,
    forSale: false,
  })
}

/** The singles that a creator sells, in their order. */
export function listStore(
  db: Db,
  audience: Audience,
  request: { creatorId: string; page: PageRequest; now: Date },
) {
  return listCreatorMedia(db, {
    ...valuesOf(audience, request),
    videos: null,
    mustUnlock: null,
    showInSearch: null,
    forSale: true,
  })
}

type Values = ReturnType<typeof valuesOf> & {
  videos: boolean | null
  mustUnlock: boolean | null
  showInSearch: boolean | null
  forSale: boolean
}

function valuesOf(
  { id, place, reachesAll, viewsAll }: Audience,
  { creatorId, page, now }: { creatorId: string; page: PageRequest; now: Date },
) {
  const skip = skipOf(page)
  const last = page.cursor === undefined ? null : rankAndId(page.cursor)
  return {
    viewerId: id,
    reachesAll,
    viewsAll,
    unpublishedToo: viewsAll || id === creatorId,
    country: place.country || null,
    region: place.region || null,
    creatorId,
    rows: rowsFor(page),
    skip: skip > 0 ? String(skip) : null,
    lastRank: last?.rank ?? null,
    lastId: last?.id ?? null,
    now,
  }
}

async function listCreatorMedia(db: Db, values: Values) {
  const rows = await profileFeed(db, values)
  return rows.map((row) => ({ ...row, viewable: row.free || row.owned }))
}

/** One row more than the page of a creator's items that are neither deleted nor private, if the viewer may see the creator. */
const profileFeed = prepare((db, values: Values) => {
  const { viewerId, country, region, reachesAll, viewsAll } = values
  const audience = { id: viewerId, place: { country, region }, reachesAll, viewsAll }
  return (
    db
      .with(
        (cte) => cte('page').materialized(),
        () => pageOf(values, audience),
      )
      .selectFrom('page as media')
      .select([
        ...FEED_COLUMNS,
        'media.must_unlock',
        'media.published',
        rankPositionOf(rank, id).as('position'),
      ])
      .select(sql<string>`(select username from users where id = ${values.creatorId}::uuid)`.as('username'))
      .select(ownedOnPage(audience, values.now).as('owned'))
      .$if(values.forSale, (store) => store.select('media.description'))
      // Items on a page that aren't locked are free: the page holds nothing private, and they may see its creator.
      .select(sql<boolean>`${sql.lit(viewsAll)} or not media.must_unlock`.as('free'))
      .select(watermarked(audience, sql`${values.creatorId}::uuid`).as('watermarked'))
      .orderBy(rank, 'desc')
      .orderBy(id, 'desc')
  )
})

const [rank, id] = [sql.ref<string>('media.rank'), sql.ref<string>('media.id')]

function pageOf(values: Values, audience: Audience): RawBuilder<Selectable<MediaTables['media']>> {
  const { creatorId, videos, mustUnlock, showInSearch, forSale, unpublishedToo } = values
  const { lastRank, lastId, rows, skip } = values
  // Flags and the limit are literals, so that the one plan of the prepared statement knows them.
  const flag = (name: string, wanted: boolean | null) =>
    wanted === null ? sql`` : sql`and media.${sql.ref(name)} = ${sql.lit(wanted)}`
  return sql`(
    select media.* from media
    where media.creator_id = ${creatorId}::uuid and media.deleted_at is null and not media.direct_only and ${released}
      ${unpublishedToo ? sql`` : sql`and media.published`}
      and exists (
        select from users as creator
        where creator.id = ${creatorId}::uuid and ${visible(audience)}
      )
      ${videos === null ? sql`` : sql`and media.type = ${sql.lit(videos ? 'video' : 'image')}`}
      ${flag('must_unlock', mustUnlock)} ${flag('show_in_search', showInSearch)} ${flag('show_in_store', forSale || null)}
      ${lastRank === null || lastId === null ? sql`` : sql`and ${behindRank({ rank: lastRank, id: lastId }, rank, id)}`}
    order by media.rank desc, media.id desc
    limit ${sql.lit(rows)} ${skip === null ? sql`` : sql`offset ${skip}::bigint`}
  )`
}

/** Whether this bundle is for sale, or is this person's own or bought, and the viewer may see its creator. */
export async function isBundle(db: Db, audience: Audience, bundleId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bundles')
    .innerJoin('users as creator', 'creator.id', 'bundles.creator_id')
    .select('bundles.id')
    .where('bundles.id', '=', bundleId)
    .where('bundles.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('creator.id', '=', audience.id), visible(audience)]))
    .where((eb) =>
      eb.or([
        eb('bundles.retired_at', 'is', null),
        eb('creator.id', '=', audience.id),
        boughtItem(sql`${audience.id}::uuid`, 'bundle', sql.ref('bundles.id')),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The items of a bundle, in order; only those with these ids, if given. Deleted and private items only for people who have
 * them.
 */
export function listBundle(
  db: Db,
  audience: Audience,
  request: { bundleId: string; onlyIds: string[]; now: Date },
) {
  const { onlyIds, now } = request
  return mediaFor(db, audience, now)
    .select(theirVersion(audience.id).as('their_version'))
    .innerJoin('bundle_media', 'bundle_media.media_id', 'media.id')
    .where('bundle_media.bundle_id', '=', request.bundleId)
    .where((eb) =>
      eb.or([
        eb.and([eb('media.deleted_at', 'is', null), eb.not('media.direct_only'), released]),
        viewable(audience, now),
        owned(audience, now),
      ]),
    )
    .$if(onlyIds.length > 0, (query) => query.where('media.id', 'in', onlyIds))
    .orderBy('bundle_media.position')
    .orderBy('media.id')
    .execute()
}

/** Offers of each kind, the cheapest. */
const MAX_UNLOCKS = 2

/**
 * The subscriptions and bundles for sale that hold an item, subscriptions first, and what the viewer is past due for, which
 * may be retired; none from somebody suspended, or whom the viewer blocked.
 */
export function listUnlocks(db: Db, { id, place, reachesAll }: Audience, mediaId: string) {
  const { country, region } = place
  return unlocks(db, { mediaId, viewerId: id, country: country || null, region: region || null, reachesAll })
}

type UnlockValues = {
  mediaId: string
  viewerId: string | null
  country: string | null
  region: string | null
  reachesAll: boolean
}

const unlocks = prepare((db, { mediaId, viewerId, country, region, reachesAll }: UnlockValues) => {
  const audience = { id: viewerId, place: { country, region }, reachesAll, viewsAll: false }
  const blocked =
    viewerId === null
      ? sql``
      : sql`and not exists (select from blocks where blocker_id = ${viewerId}::uuid and blocked_id = creator.id)`
  const offers = (
    kind: Unlock['kind'],
    held: RawBuilder<unknown>,
    kept: RawBuilder<number>,
    pastDue: RawBuilder<boolean>,
    versionIds: RawBuilder<string[] | null>,
  ) => sql`(
    select ${sql.lit(kind)} as kind, sold.id, sold.title, sold.price_cents, ${kept} as "keptCount", own.past_due as "pastDue", sold.retired_at is not null as retired, ${versionIds} as "versionIds"
    from ${held} join users as creator on creator.id = sold.creator_id cross join lateral (select ${pastDue} as past_due) as own
    where sold.deleted_at is null and (sold.retired_at is null or own.past_due) and creator.hidden_at is null and ${visible(audience)} ${blocked}
    order by own.past_due desc, sold.price_cents, sold.id limit ${sql.lit(MAX_UNLOCKS)}
  )`
  const kept = sql<number>`case when sold.less_owned then (
    select count(*)::int from bundle_media join media on media.id = bundle_media.media_id
    where bundle_media.bundle_id = sold.id and is_offered(media) and ${boughtAnyVersion(sql`${viewerId}::uuid`)}
  ) else 0 end`
  const found = sql<
    Pick<Unlock, 'kind' | 'id' | 'title' | 'price_cents' | 'keptCount' | 'pastDue' | 'retired' | 'versionIds'>
  >`(
    ${offers(
      'subscription',
      sql`subscription_plan_media as held join subscription_plans as sold
        on sold.id = held.plan_id and held.media_id = ${mediaId}::uuid`,
      sql`0`,
      isPastDue(sql`${viewerId}::uuid`, sql`sold.id`),
      sql`null::uuid[]`,
    )}
    union all ${offers(
      'bundle',
      sql`bundle_media as held join bundles as sold
        on sold.id = held.bundle_id and held.media_id = ${mediaId}::uuid`,
      kept,
      sql`false`,
      sql`array(
        select media.version_id from bundle_media join media on media.id = bundle_media.media_id
        where bundle_media.bundle_id = sold.id and is_offered(media))`,
    )}
  )`
  return db
    .selectFrom(found.as('sold'))
    .innerJoin('offer_contents as content', 'content.offer_id', 'sold.id')
    .select([
      'sold.kind',
      'sold.id',
      'sold.title',
      'sold.price_cents',
      'sold.keptCount',
      'sold.pastDue',
      'sold.retired',
      'sold.versionIds',
      'content.photos as photoCount',
      'content.videos as videoCount',
      'content.video_seconds as videoSeconds',
    ])
    .orderBy('kind', 'desc')
    .orderBy('pastDue', 'desc')
    .orderBy('price_cents')
    .orderBy('id')
})

/** What a person owes by subscription, in cents, and those of which a payment is still undecided; nothing for null. */
export type FindOwed = (
  db: Db,
  userId: string | null,
  now: Date,
) => Promise<{ owed: ReadonlyMap<string, number>; undecided: ReadonlySet<string> }>

/** The products that contain an item, and how many items each has. */
export type Unlock = {
  kind: 'subscription' | 'bundle'
  id: string
  title: string
  price_cents: number
  /** How many of a bundle's items the viewer has for good, where that makes it cheaper. */
  keptCount: number
  /** The viewer has it, and its last renewal isn't paid. */
  pastDue: boolean
  /** It is no longer sold. */
  retired: boolean
  /** The versions of a bundle's items. */
  versionIds: string[] | null
  photoCount: number
  videoCount: number
  videoSeconds: number
}

/**
 * These items by their ids as covers for this viewer, locked ones without a link. What is deleted, private or taken down
 * is none; nor, but for its owner, what isn't published; nor, of a creator who is hidden from this viewer, what isn't theirs.
 */
export async function findCovers(
  db: Db,
  audience: Audience,
  request: { mediaIds: string[]; signer: Signer; companion: Companion; now: Date },
): Promise<Map<string, FeedItem>> {
  const { mediaIds, now } = request
  if (mediaIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select([...FEED_COLUMNS, 'creator.username'])
    .select([viewable(audience, now).as('viewable'), owned(audience, now).as('owned')])
    .select([watermarked(audience).as('watermarked'), theirVersion(audience.id).as('their_version')])
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('media.deleted_at', 'is', null)
    .where(released)
    .where((eb) => eb.not('media.direct_only'))
    .where((eb) => eb.or([eb('media.published', '=', true), eb('media.creator_id', '=', audience.id)]))
    .where((eb) => eb.or([visible(audience), owned(audience, now)]))
    .execute()
  const links = linksFor(request.signer, request.companion, now)
  return new Map(rows.map((row) => [row.id, presentFeedItem(row, links)]))
}
