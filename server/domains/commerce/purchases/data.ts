import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, Tables } from '../../../db/client.ts'
import type { PurchaseStatus } from '../../../db/tables/commerce.ts'
import { bundleContents } from '../bundles/data.ts'
import { LIVE } from '../subscriptions/data.ts'
import { type ExistingAccess, type Item, type Kind, lookedUpBefore } from './rules.ts'

/** Nobody knows yet how these end; `purchases_one_open` allows one of them per buyer and item. */
export const OPEN: PurchaseStatus[] = ['created', 'submitting', 'held', 'unknown']

/** What is sold under this id now, or null when nothing is. */
export async function findItem(db: Db, kind: Kind, itemId: string, now: Date): Promise<Item | null> {
  const sold = await findSold(db, kind, itemId)
  if (!sold) return null
  const mediaIds =
    kind === 'single' ? [itemId] : kind === 'bundle' ? await bundleContents(db, itemId, now) : []
  return {
    kind,
    creatorId: sold.creator_id,
    creatorHidden: sold.hidden_at !== null,
    title: sold.title,
    priceCents: sold.price_cents,
    mediaIds,
  }
}

function findSold(db: Db, kind: Kind, itemId: string) {
  const columns = ['item.creator_id', 'item.title', 'item.price_cents', 'users.hidden_at'] as const
  switch (kind) {
    case 'single':
      return db
        .selectFrom('media as item')
        .innerJoin('users', 'users.id', 'item.creator_id')
        .select(columns)
        .where('item.id', '=', itemId)
        .where('item.show_in_store', '=', true)
        .where('item.deleted_at', 'is', null)
        .executeTakeFirst()
    case 'bundle':
      return db
        .selectFrom('bundles as item')
        .innerJoin('users', 'users.id', 'item.creator_id')
        .select(columns)
        .where('item.id', '=', itemId)
        .where('item.deleted_at', 'is', null)
        .executeTakeFirst()
    case 'subscription':
      return db
        .selectFrom('subscription_plans as item')
        .innerJoin('users', 'users.id', 'item.creator_id')
        .select(columns)
        .where('item.id', '=', itemId)
        .where('item.deleted_at', 'is', null)
        .executeTakeFirst()
  }
}

/**
 * How the buyer stands to an item; `mediaIds` is what it holds. Access that a subscription lends is not having, and
 * `ownAttempt` is not counted among the open ones.
 */
export async function findExistingAccess(
  db: Db,
  order: { buyerId: string; kind: Kind; itemId: string; ownAttempt: string | null },
  mediaIds: string[],
): Promise<ExistingAccess> {
  const { buyerId, kind, itemId, ownAttempt } = order
  const attempts = (eb: ExpressionBuilder<Tables, never>, statuses: PurchaseStatus[]) =>
    eb.exists(
      eb
        .selectFrom('purchases')
        .select('purchases.id')
        .where('purchases.buyer_id', '=', buyerId)
        .where('purchases.kind', '=', kind)
        .where('purchases.item_id', '=', itemId)
        .where('purchases.id', 'is distinct from', ownAttempt)
        .where('purchases.status', 'in', statuses),
    )
  const row = await db
    .selectNoFrom((eb) => [
      attempts(eb, OPEN).as('open'),
      attempts(eb, ['captured', 'disputed']).as('bought'),
      eb
        .exists(
          eb
            .selectFrom('subscriptions')
            .select('subscriptions.id')
            .where('subscriptions.fan_id', '=', buyerId)
            .where('subscriptions.plan_id', '=', itemId)
            .where('subscriptions.status', 'in', LIVE),
        )
        .as('subscribed'),
      eb
        .selectFrom('entitlement_media')
        .innerJoin('entitlements', 'entitlements.id', 'entitlement_media.entitlement_id')
        .where('entitlement_media.user_id', '=', buyerId)
        .where('entitlement_media.media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
        .where('entitlements.revoked_at', 'is', null)
        .select((count) => count.fn.count<number>('entitlement_media.media_id').distinct().as('owned'))
        .as('owned'),
    ])
    .executeTakeFirstOrThrow()
  const has =
    kind === 'subscription'
      ? row.subscribed === true
      : row.bought === true || (mediaIds.length > 0 && row.owned === mediaIds.length)
  return { open: row.open === true, has }
}

export type PurchaseRow = NonNullable<Awaited<ReturnType<typeof findPurchase>>>

/** One purchase of this buyer, or undefined: by its id, or the open one of an item. */
export async function findPurchase(
  db: Db,
  buyerId: string,
  which: { purchaseId: string } | { openKind: Kind; itemId: string },
) {
  const purchases = db
    .selectFrom('purchases')
    .innerJoin('users as creator', 'creator.id', 'purchases.creator_id')
    .leftJoin('entitlements', 'entitlements.purchase_id', 'purchases.id')
    .leftJoin('subscriptions', 'subscriptions.id', 'entitlements.subscription_id')
    .select([
      'purchases.id',
      'purchases.kind',
      'purchases.item_id',
      'purchases.status',
      'purchases.reason',
      'purchases.amount_cents',
      'purchases.title',
      'purchases.created_at',
      'purchases.creator_id',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'subscriptions.current_period_end as renewsAt',
    ])
    .where('purchases.buyer_id', '=', buyerId)
  if ('purchaseId' in which) return purchases.where('purchases.id', '=', which.purchaseId).executeTakeFirst()
  return purchases
    .where('purchases.kind', '=', which.openKind)
    .where('purchases.item_id', '=', which.itemId)
    .where('purchases.status', 'in', OPEN)
    .executeTakeFirst()
}

/** The attempt that this buyer made with this idempotency key, if any. */
export async function findByKey(db: Db, buyerId: string, key: string) {
  return db
    .selectFrom('purchases')
    .select(['id', 'request_hash'])
    .where('buyer_id', '=', buyerId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
}

export type DuePurchase = Awaited<ReturnType<typeof findDue>>[number]

/**
 * Attempts to look up at the gateway: sent and never answered, unknown, or held. Each at most once a minute in its
 * first hour and once an hour after it, those that were never asked for, or longest ago, first.
 */
export async function findDue(db: Db, now: Date, limit: number) {
  const elapsed = sql<number>`extract(epoch from ${now}::timestamptz - submitted_at)`
  return db
    .selectFrom('purchases')
    .select(['id', 'status', 'reference', 'amount_cents', 'submitted_at', 'lookups'])
    .where('status', 'in', OPEN)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['unknown', 'held']),
        eb.and([eb('status', '=', 'submitting'), eb('submitted_at', '<=', lookedUpBefore(now))]),
      ]),
    )
    .where(sql<boolean>`lookups < least(${elapsed} / 60, 60 + ${elapsed} / 3600)`)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('lookups')
    .orderBy('submitted_at')
    .limit(limit)
    .execute()
}
