import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Kind } from '../../../../contract/orders.ts'
import type { Db } from '../../../db/client.ts'
import type { MediaTables } from '../../../db/tables/media.ts'

// This folder is the only place that says who owns, bought or subscribes. `unlocked_media` is a view of what people have
// for good; everything else asks it, or one of these. `offset 0` keeps each a few index probes for the rows at hand:
// without it the planner, who does not know how short a page is, reads everything that the person owns first.

/**
 * Bought, alone or in a bundle, or otherwise unlocked for good; of a deleted item only in the versions that were. To be
 * used with `media` in the query, about its current version.
 */
export function bought(userId: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from unlocked_media as mine where mine.user_id = ${userId} and mine.media_id = media.id
      and (media.deleted_at is null or mine.version_id = media.version_id)
    offset 0
  )`
}

/** The same in whichever version. */
export function boughtAnyVersion(userId: RawBuilder<unknown> | string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from unlocked_media as mine where mine.user_id = ${userId} and mine.media_id = media.id offset 0
  )`
}

/** The same about one version of an item, whichever the item shows now. */
export function boughtVersion(userId: string, versionId: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from unlocked_media as mine where mine.user_id = ${userId} and mine.version_id = ${versionId} offset 0
  )`
}

/** In a subscription that is paid for now; what its owner deleted or made private is in none. */
export function subscribed(userId: string, now: Date): RawBuilder<boolean> {
  return sql<boolean>`(media.deleted_at is null and not media.direct_only and exists (
    select from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id
    where ${paidFor(sql`entitlements`, userId, now)} and subscription_plan_media.media_id = media.id
    offset 0
  ))`
}

/** `bought` or `subscribed` for the rows of a feed's page, a CTE named `page`: all of them are looked up at once. */
export function unlockedOnPage(userId: string, now: Date): RawBuilder<boolean> {
  const ids = sql`any(array(select id from page))`
  return sql<boolean>`(
    media.id in (
      select mine.media_id from unlocked_media as mine where mine.user_id = ${userId} and mine.media_id = ${ids}
    )
    or (media.deleted_at is null and not media.direct_only and media.id in (
      select subscription_plan_media.media_id
      from entitlements join subscription_plan_media on subscription_plan_media.plan_id = entitlements.plan_id
      where ${paidFor(sql`entitlements`, userId, now)} and subscription_plan_media.media_id = ${ids}
    ))
  )`
}

/** The rows of `entitlements` under this name that are this person's subscriptions, paid for now. */
export function paidFor(
  alias: RawBuilder<unknown>,
  userId: RawBuilder<unknown> | string,
  now: RawBuilder<unknown> | Date,
): RawBuilder<boolean> {
  return sql<boolean>`(${alias}.user_id = ${userId} and ${paidNow(alias, now)})`
}

const paidNow = (alias: RawBuilder<unknown>, now: RawBuilder<unknown> | Date) => sql<boolean>`(
  ${alias}.plan_id is not null and ${alias}.revoked_at is null and ${alias}.valid_until > ${now})`

/** Whether this person subscribes to the creator, paid for now; `chat`: by a plan that comes with chat. */
export function subscribedTo(
  creatorId: RawBuilder<unknown>,
  { userId, now, chat }: { userId: string; now: Date; chat: boolean },
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from entitlements join subscription_plans on subscription_plans.id = entitlements.plan_id
    where ${paidFor(sql`entitlements`, userId, now)} and subscription_plans.creator_id = ${creatorId}
      ${chat ? sql`and subscription_plans.chat_enabled` : sql``} offset 0
  )`
}

/** The ids of the creators to whom this person subscribes, paid for now; with several plans one comes several times. */
export function subscribedCreators(userId: string, now: Date): RawBuilder<string> {
  return sql<string>`(
    select subscription_plans.creator_id as id
    from entitlements join subscription_plans on subscription_plans.id = entitlements.plan_id
    where ${paidFor(sql`entitlements`, userId, now)}
  )`
}

/** A version that somebody bought, as much of it as is shown. */
export type TheirVersion = Pick<
  Selectable<MediaTables['media_versions']>,
  'id' | 'type' | 'red_gif' | 'duration_seconds' | 'width' | 'height' | 'thumbhash' | 'variants'
>

/** The id of the version of the item that this person bought, the current one if they did; null when they bought none. */
export function boughtVersionId(userId: string | null): RawBuilder<string | null> {
  if (userId === null) return sql<null>`null::uuid`
  return sql<string | null>`(
    select mine.version_id from unlocked_media as mine where mine.user_id = ${userId} and mine.media_id = media.id
    order by mine.version_id = media.version_id desc, mine.granted_at desc limit 1
  )`
}

/** The version of the item that this person bought, unless the item was taken down; a query that knows its id gives it. */
export function theirVersion(
  userId: string | null,
  id: RawBuilder<string | null> = boughtVersionId(userId),
): RawBuilder<TheirVersion | null> {
  if (userId === null) return sql<null>`null`
  return sql<TheirVersion | null>`(
    select ${versionJson} from media_versions as version where version.id = ${id} and media.quarantined_at is null
  )`
}

/** A row of `media_versions` named `version` as `TheirVersion`. */
export const versionJson = sql`jsonb_build_object('id', version.id, 'type', version.type, 'red_gif', version.red_gif,
  'duration_seconds', version.duration_seconds, 'width', version.width, 'height', version.height,
  'thumbhash', version.thumbhash, 'variants', version.variants)`

/** Somebody has this version for good, or may get it back. */
export function pinnedByGrant(versionId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from entitlement_media join entitlements on entitlements.id = entitlement_id
    where version_id = ${versionId} and (revoked_at is null or restorable) offset 0)`
}

/**
 * Whether this person bought a thing of this kind as a whole, and has it for good. What a bank took back of it is with nobody
 * until it decides (decision 042).
 */
export function boughtItem(
  buyerId: RawBuilder<unknown> | string,
  kind: Kind,
  itemId: RawBuilder<unknown> | string,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from orders join payments on payments.id = orders.paid_by
    where orders.buyer_id = ${buyerId} and orders.kind = ${sql.lit(kind)} and orders.item_id = ${itemId}
      and orders.status = 'paid' and orders.refunded_at is null and orders.bought_once and payments.status <> 'disputed'
  )`
}

/** Of these items, the ones that the person has: bought, or by a subscription that is paid for now. */
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
    .where(sql<boolean>`(${bought(userId)} or ${subscribed(userId, now)})`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Of these items, the ones that the person has for good, whatever a subscription lends them. */
export async function unlockedMediaIds(db: Db, userId: string, mediaIds: string[]): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('unlocked_media')
    .select('media_id')
    .distinct()
    .where('user_id', '=', userId)
    .where('media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .execute()
  return new Set(rows.map(({ media_id }) => media_id))
}

/** How many of these items the person has for good, whatever a subscription lends them. */
export async function countUnlocked(db: Db, userId: string, mediaIds: string[]): Promise<number> {
  if (mediaIds.length === 0) return 0
  const { unlocked } = await db
    .selectFrom('unlocked_media')
    .select((eb) => eb.fn.count<number>('media_id').distinct().as('unlocked'))
    .where('user_id', '=', userId)
    .where('media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return unlocked
}

/** Whether the person has each of these items for good, in the version that it shows now. */
export async function hasCurrentVersions(db: Db, userId: string, mediaIds: string[]): Promise<boolean> {
  const { owned } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .where('media.id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where(boughtVersion(userId, sql.ref('media.version_id')))
    .executeTakeFirstOrThrow()
  return owned === new Set(mediaIds).size
}

/** How many people have at least one of these items for good. */
export async function countBuyers(db: Db, mediaIds: string[]): Promise<number> {
  const { buyers } = await db
    .selectFrom('unlocked_media')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('buyers'))
    .where('media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return buyers
}

/**
 * Grants made by an order and by the subscription that it paid for: from when, until when, and when revoked. Without grants
 * of nothing, as of a tip, or of what isn't delivered yet; with those of items that went with their creator's account.
 */
export function listGrants(db: Db, { id, subscriptionId }: { id: string; subscriptionId: string | null }) {
  return db
    .selectFrom('entitlements')
    .select(['granted_at', 'valid_until', 'revoked_at'])
    .where(({ eb, exists, selectFrom }) =>
      eb.or([
        eb('plan_id', 'is not', null),
        exists(
          selectFrom('entitlement_media')
            .select('entitlement_id')
            .whereRef('entitlement_id', '=', 'entitlements.id'),
        ),
        exists(selectFrom('order_items').select('order_id').where('order_id', '=', id)),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb('source_kind', '=', 'purchase'), eb('source_id', '=', id)]),
        ...(subscriptionId === null
          ? []
          : [eb.and([eb('source_kind', '=', 'subscription'), eb('source_id', '=', subscriptionId)])]),
      ]),
    )
    .execute()
}

/** The items that an order gave for good, taken back or not, the first of them. */
export async function listGiven(db: Db, orderId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entitlements')
    .innerJoin('entitlement_media', 'entitlement_id', 'entitlements.id')
    .select('media_id')
    .where('source_kind', '=', 'purchase')
    .where('source_id', '=', orderId)
    .orderBy('media_id')
    .limit(200)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

/**
 * A person's access from one source: `ended` if it was revoked at this moment and no other source grants the same, `kept` if it
 * wasn't revoked; `none` if it granted nothing, had ended before, or the person has the same from another source.
 */
export async function accessAfter(
  db: Db,
  source: { kind: 'purchase' | 'subscription'; id: string },
  now: Date,
): Promise<'ended' | 'kept' | 'none'> {
  const grant = await db
    .selectFrom('entitlements')
    .select(['id', 'user_id', 'plan_id', 'valid_until', 'revoked_at'])
    .where('source_kind', '=', source.kind)
    .where('source_id', '=', source.id)
    .executeTakeFirst()
  if (!grant) return 'none'
  const given = await db
    .selectFrom('entitlement_media')
    .select('media_id')
    .where('entitlement_id', '=', grant.id)
    .execute()
  const isLent = grant.plan_id !== null && grant.valid_until !== null && grant.valid_until > now
  if (!isLent && given.length === 0) return 'none'
  if (grant.revoked_at === null) return 'kept'
  if (grant.revoked_at.getTime() !== now.getTime()) return 'none'
  if (isLent) return 'ended'
  const mediaIds = given.map(({ media_id }) => media_id)
  const owned = await ownedMediaIds(db, grant.user_id, mediaIds, now)
  return mediaIds.every((id) => owned.has(id)) ? 'none' : 'ended'
}

/** Everybody who has something of this creator's now, bought or by a subscription. */
export async function findCustomers(db: Db, creatorId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select unlocked_media.user_id as id from unlocked_media join media on media.id = unlocked_media.media_id
      where media.creator_id = ${creatorId}
    union
    select entitlements.user_id from entitlements
      join subscription_plans on subscription_plans.id = entitlements.plan_id
      where subscription_plans.creator_id = ${creatorId} and ${paidNow(sql`entitlements`, now)}
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
