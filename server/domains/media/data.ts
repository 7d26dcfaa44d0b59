import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { after, type Page, type PageRequest, positionOf, skipOf, toPage } from '../../db/cursor.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile, ServedFile } from '../../handler.ts'
import type { Place } from '../../ports/geo/port.ts'
import type { Signer } from '../../signer.ts'
import type { MediaReader, Viewer } from '../../viewer.ts'
import { type Onlooker, reachable } from '../profiles/data.ts'
import { holdsLink, linksFor, type MediaItem, presentMedia } from './present.ts'

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

/** Their own, or unlocked for them. Of what its owner deleted only what was bought remains (decisions §4). */
export function owned({ id }: Onlooker, now: Date): RawBuilder<boolean> {
  if (id === null) return sql<boolean>`false`
  return sql<boolean>`(
    (media.deleted_at is null and media.creator_id = ${id}) or ${bought(id)}
      or (media.deleted_at is null and ${subscribed(id, now)})
  )`
}

/**
 * The one rule of who may see the bytes (decisions §4): owner, superadmin, whoever it is unlocked for, and everybody
 * when it is neither locked nor private and its creator is there for them. To be used with `media` and its `creator`
 * in the query.
 */
export function viewable(onlooker: Onlooker, now: Date): RawBuilder<boolean> {
  const open = sql<boolean>`(
    not media.must_unlock and not media.direct_only and creator.hidden_at is null and ${reachable(onlooker)}
  )`
  const allowed = onlooker.role === 'superadmin' ? sql<boolean>`true` : open
  return sql<boolean>`((media.deleted_at is null and ${allowed}) or ${owned(onlooker, now)})`
}

/** Media items as this person may see them, everything that `presentMedia` needs in one query. */
export function mediaFor(db: Db, onlooker: Onlooker, now: Date) {
  return db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .selectAll('media')
    .select('creator.username')
    .select([viewable(onlooker, now).as('viewable'), owned(onlooker, now).as('owned')])
    .select(sql<string>`${positionOf(sql.ref('media.created_at'), sql.ref('media.id'))}`.as('position'))
}

type MediaQuery = ReturnType<typeof mediaFor>

/** The page of these items that was asked for, newest first, and one row more that tells whether another follows. */
export function newestFirst(query: MediaQuery, page: PageRequest): MediaQuery {
  const [time, id] = [sql.ref<Date>('media.created_at'), sql.ref<string>('media.id')]
  return (
    query
      .$if(page.cursor !== undefined, (rest) => rest.where(after(page.cursor ?? '', time, id)))
      .orderBy(time, 'desc')
      .orderBy(id, 'desc')
      // A literal, so that the one plan of the prepared statement is made for few rows.
      .limit(sql.lit(page.limit + 1))
      .$if(skipOf(page) > 0, (rest) => rest.offset(skipOf(page)))
  )
}

/**
 * One item, or null when this person may not know of it: deleted, private, or of somebody who is hidden or out of their
 * reach, and not theirs to see.
 */
export async function findMedia(db: Db, onlooker: Onlooker, mediaId: string, now: Date) {
  const row = await mediaFor(db, onlooker, now)
    .where('media.id', '=', mediaId)
    .where(
      sql<boolean>`((
          media.deleted_at is null and not media.direct_only and creator.hidden_at is null and ${reachable(onlooker)}
        ) or ${viewable(onlooker, now)})`,
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
  const { page, now } = request
  const rows = await mediaFor(db, viewer, now)
    .innerJoin(newestUnlocked(viewer.id, request), (join) => join.onRef('newest.media_id', '=', 'media.id'))
    .clearSelect()
    .selectAll('media')
    .select('creator.username')
    .select([sql<boolean>`true`.as('viewable'), sql<boolean>`true`.as('owned')])
    .select(sql<string>`${positionOf(sql.ref('newest.since'), sql.ref('media.id'))}`.as('position'))
    .orderBy('newest.since', 'desc')
    .orderBy('media.id', 'desc')
    .execute()
  const links = linksFor(request.signer, request.reader, now)
  return toPage(rows, page, (row) => presentMedia(row, links))
}

/** One page of what is unlocked for the person, each item once, since when. Costs what they own, not what there is. */
function newestUnlocked(
  userId: string,
  request: { showing: 'all' | 'images' | 'videos'; page: PageRequest; now: Date },
) {
  const { showing, page, now } = request
  const [since, id] = [sql<Date>`since`, sql<string>`media_id`]
  const type = showing === 'images' ? 'image' : 'video'
  const ofType =
    showing === 'all' ? sql`true` : sql`(select type from media where media.id = media_id) = ${type}`
  const further = page.cursor === undefined ? sql`true` : after(page.cursor, since, id)
  return sql<{ media_id: string; since: Date }>`(
    select media_id, since from (
      select media_id, min(since) as since from (
        select entitlement_media.media_id, entitlement_media.granted_at as since
        from entitlement_media, lateral (
          select from entitlements where id = entitlement_media.entitlement_id and revoked_at is null offset 0
        ) standing
        where entitlement_media.user_id = ${userId}
        union all
        select included.id, greatest(entitlements.granted_at, included.created_at)
        from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id, lateral (
          select id, created_at from media where id = subscription_plan_media.media_id and deleted_at is null offset 0
        ) included
        where entitlements.user_id = ${userId} and entitlements.plan_id is not null and entitlements.revoked_at is null
          and entitlements.valid_until > ${now}
      ) grants group by media_id
    ) unlocked
    where ${ofType} and ${further}
    order by since desc, media_id desc limit ${page.limit + 1} offset ${skipOf(page)}
  )`.as<'newest'>('newest')
}

/**
 * Finds what `/files/<path>` opens. Media: the link must be ours, made for this reader, not over, its session alive,
 * and the item still viewable at this moment (decisions §4). Profile pictures: the current ones, for everybody.
 */
export async function openMediaFile(
  context: Context,
  request: Parameters<OpenFile>[0],
): ReturnType<OpenFile> {
  const [, kind, id, name] =
    /^(media|profile)\/([0-9a-f-]{36})\/([a-z0-9_-][a-z0-9._-]*)$/.exec(request.path) ?? []
  if (!kind || !id || !name) throw new AppError('media_not_found')
  return kind === 'media' ? openVariant(context, request, id, name) : openProfilePicture(context, id, name)
}

async function openVariant(
  context: Context,
  request: Parameters<OpenFile>[0],
  mediaId: string,
  name: string,
): Promise<ServedFile> {
  const { db, signer, storage } = context
  const { readerKey, place, now } = request
  const { e: expiry, s: signature } = request.query
  if (!readerKey || typeof expiry !== 'string' || typeof signature !== 'string')
    throw new AppError('link_expired')
  if (!holdsLink(signer, { mediaId, expiry, signature }, readerKey, now)) {
    throw new AppError('link_expired')
  }
  const onlooker = await onlookerOf(db, readerKey, place, now)
  const row = await db
    .selectFrom('media')
    .innerJoin('users as creator', 'creator.id', 'media.creator_id')
    .select(['media.variants', viewable(onlooker, now).as('viewable')])
    .where('media.id', '=', mediaId)
    .executeTakeFirst()
  const variant = row?.variants.find((stored) => stored.name === name)
  if (!row || !variant) throw new AppError('media_not_found')
  if (!row.viewable) throw new AppError('link_expired')
  return {
    mime: variant.mime,
    bytes: variant.bytes,
    cache: 'private',
    open: (range) => storage.read(`media/${mediaId}/${name}`, range),
  }
}

/** Who holds this companion cookie: the person of a live session, or a visitor; a session that ended opens nothing. */
async function onlookerOf(db: Db, readerKey: string, place: Place, now: Date): Promise<Onlooker> {
  if (readerKey.startsWith('v.')) return { id: null, role: null, place }
  const person = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role'])
    .where('sessions.id', '=', readerKey.slice('s.'.length))
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
  if (!person) throw new AppError('link_expired')
  return { ...person, place }
}

async function openProfilePicture(context: Context, userId: string, name: string): Promise<ServedFile> {
  const key = `profile/${userId}/${name}`
  const current = await context.db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.user_id')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('users.hidden_at', 'is', null)
    .where((eb) => eb.or([eb('profile_image', '=', name), eb('profile_hero_image', '=', name)]))
    .executeTakeFirst()
  const bytes = current && name.endsWith('.webp') ? await context.storage.size(key) : null
  if (bytes === null) throw new AppError('media_not_found')
  return { mime: 'image/webp', bytes, cache: 'public', open: (range) => context.storage.read(key, range) }
}
