import { type ExpressionBuilder, sql } from 'kysely'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'
import type { Db, Tables } from '../../../db/client.ts'
import type { PurchaseStatus } from '../../../db/tables/commerce.ts'
import { countUnlocked } from '../../media/entitlements/data.ts'
import { holdBundleContents } from '../bundles/data.ts'
import {
  askedAgainBefore,
  type ExistingAccess,
  type Item,
  type Kind,
  lateChargesAfter,
  leftToOperatorBefore,
  lookedUpBefore,
  REASONS,
  VOID_REASONS,
} from './rules.ts'

/** Nobody knows yet how these end; `purchases_one_open` allows one of them per buyer and item. */
export const OPEN: PurchaseStatus[] = ['created', 'submitting', 'held', 'unknown']

/**
 * What is sold under this id now with what it holds, or null when nothing is. A single or bundle is held as it is until
 * the end, so that price and contents are of one moment.
 */
export async function findItem(db: Db, kind: Kind, itemId: string): Promise<Item | null> {
  const sold = await findSold(db, kind, itemId)
  if (!sold) return null
  return {
    kind,
    creatorId: sold.creator_id,
    creatorHidden: sold.hidden_at !== null,
    title: sold.title,
    priceCents: sold.price_cents,
    contents: await contentsOf(db, kind, itemId),
  }
}

async function contentsOf(db: Db, kind: Kind, itemId: string): Promise<Item['contents']> {
  switch (kind) {
    case 'single': {
      const item = db.selectFrom('media').select(['id as mediaId', 'version_id as versionId'])
      return item.where('id', '=', itemId).execute()
    }
    case 'bundle': {
      const held = await holdBundleContents(db, itemId)
      return held.sort((one, other) => one.position - other.position)
    }
    case 'subscription':
      return []
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
        .where('item.quarantined_at', 'is', null)
        .modifyEnd(sql`for share of item`)
        .executeTakeFirst()
    case 'bundle':
      return db
        .selectFrom('bundles as item')
        .innerJoin('users', 'users.id', 'item.creator_id')
        .select(columns)
        .where('item.id', '=', itemId)
        .where('item.deleted_at', 'is', null)
        .modifyEnd(sql`for share of item`)
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
            .where('subscriptions.status', 'in', LIVE_STATUSES),
        )
        .as('subscribed'),
    ])
    .executeTakeFirstOrThrow()
  const unlocked = await countUnlocked(db, buyerId, mediaIds)
  const has =
    kind === 'subscription'
      ? row.subscribed === true
      : row.bought === true || (mediaIds.length > 0 && unlocked === mediaIds.length)
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
    .leftJoin('subscriptions', 'subscriptions.purchase_id', 'purchases.id')
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

/** What was agreed, in its order; without an id what nobody can be given any more, or was taken down. */
export async function findOrdered(db: Db, purchaseId: string) {
  return db
    .selectFrom('purchase_items')
    .leftJoin('media', (join) =>
      join.onRef('media.id', '=', 'purchase_items.media_id').on('media.quarantined_at', 'is', null),
    )
    .leftJoin('media_versions', (join) =>
      join
        .onRef('media_versions.id', '=', 'purchase_items.version_id')
        .on('media_versions.purged_at', 'is', null),
    )
    .select(['media.id as mediaId', 'media_versions.id as versionId'])
    .where('purchase_id', '=', purchaseId)
    .orderBy('position')
    .execute()
}

/** Whether one of these accounts was erased: then there is nobody to give to, or nothing to give. */
export async function isErased(db: Db, userIds: string[]): Promise<boolean> {
  const row = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('erased_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export type DuePurchase = Awaited<ReturnType<typeof findDue>>[number]

/**
 * Attempts to look up at the gateway: sent and never answered, unknown, held, charged and to be given back, or said not
 * to be charged a short while ago. Each at most once a minute in its first hour and once an hour after it, those that
 * were never asked for, or longest ago, first. One that the gateway would not take back for days is left to the
 * operator, and asked for once a day.
 */
export async function findDue(db: Db, now: Date, limit: number) {
  const elapsed = sql<number>`extract(epoch from ${now}::timestamptz - submitted_at)`
  return db
    .selectFrom('purchases')
    .select(['id', 'status', 'reference', 'amount_cents', 'submitted_at', 'lookups'])
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['unknown', 'held']),
        eb.and([eb('status', '=', 'submitting'), eb('submitted_at', '<=', lookedUpBefore(now))]),
        eb.and([eb('status', '=', 'refused'), eb('reason', 'in', VOID_REASONS)]),
        eb.and([
          eb('status', '=', 'refused'),
          eb('reason', '=', REASONS.notCharged),
          eb('submitted_at', '>', lateChargesAfter(now)),
        ]),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('stuck_at', 'is', null),
        eb('stuck_at', '>', leftToOperatorBefore(now)),
        eb('lookup_tried_at', '<=', askedAgainBefore(now)),
      ]),
    )
    .where(sql<boolean>`lookups < least(${elapsed} / 60, 60 + ${elapsed} / 3600)`)
    .orderBy('lookup_tried_at', (order) => order.asc().nullsFirst())
    .orderBy('lookups')
    .orderBy('submitted_at')
    .limit(limit)
    .execute()
}

/** Charges that grant nothing and that the gateway neither voids nor refunds, the oldest first. */
export function listStuck(db: Db) {
  return db
    .selectFrom('purchases')
    .innerJoin('users as buyer', 'buyer.id', 'purchases.buyer_id')
    .select([
      'purchases.id',
      'purchases.reference',
      'purchases.gateway_transaction_id',
      'purchases.amount_cents',
    ])
    .select(['purchases.title', 'purchases.reason', 'purchases.stuck_at', 'buyer.username'])
    .where('purchases.stuck_at', 'is not', null)
    .orderBy('purchases.stuck_at')
    .execute()
}
