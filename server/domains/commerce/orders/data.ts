import { type RawBuilder, sql } from 'kysely'
import { type Kind, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { released, sellable } from '../../media/data.ts'
import { bought, subscribed } from '../../media/entitlements/data.ts'
import { LAST_DAY } from '../renewals/charging/rules.ts'
import { agreedAhead, askedPrice, lacksConsent } from '../renewals/data.ts'
import { daysAfter, graceCutoff } from '../subscriptions/rules.ts'

export type PurchaseRow = NonNullable<Awaited<ReturnType<typeof findPurchase>>>

/** One purchase of this buyer, or undefined: by its id, or the open one of an item. */
export async function findPurchase(
  db: Db,
  buyerId: string,
  which: { orderId: string } | { openKind: Kind; itemId: string },
) {
  const purchases = db
    .selectFrom('purchases')
    .innerJoin('users as creator', 'creator.id', 'purchases.creator_id')
    .leftJoin('subscriptions', 'subscriptions.id', 'purchases.subscription_id')
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
      'creator.deletion_requested_at as creatorLeavingSince',
      'subscriptions.current_period_end as renewsAt',
    ])
    // Of a declined purchase the view has the last attempt.
    .select((eb) =>
      eb
        .selectFrom('payments')
        .select('stored_card_id')
        .whereRef('order_id', '=', 'purchases.id')
        .orderBy('payments.created_at', 'desc')
        .orderBy('payments.id', 'desc')
        .limit(1)
        .as('stored_card_id'),
    )
    .where('purchases.buyer_id', '=', buyerId)
  if ('orderId' in which) return purchases.where('purchases.id', '=', which.orderId).executeTakeFirst()
  return purchases
    .where('purchases.kind', '=', which.openKind)
    .where('purchases.item_id', '=', which.itemId)
    .where('purchases.order_status', '=', 'open')
    .where('purchases.status', 'in', UNDECIDED_STATUSES)
    .executeTakeFirst()
}

/**
 * An order, held until the transaction ends, or undefined. What it began, or renewed, is held before it, as cancellations
 * and renewals do, and its payments and the books come after it.
 */
export async function lockOrder(db: Tx, orderId: string) {
  await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('orders').select('subscription_id').where('id', '=', orderId))
    .forUpdate()
    .execute()
  return db.selectFrom('orders').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst()
}

/** Whether an attempt to pay the order may still move money. */
export async function hasAttemptUnderWay(db: Db, orderId: string): Promise<boolean> {
  const attempt = await db
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', 'in', UNDECIDED_STATUSES)
    .executeTakeFirst()
  return attempt !== undefined
}

/**
 * The agreed items, in order. Those that can't be granted anymore, because they were deleted or taken down, have no
 * id.
 */
export async function findOrdered(db: Db, orderId: string) {
  return db
    .selectFrom('order_items')
    .leftJoin('media', (join) => join.onRef('media.id', '=', 'order_items.media_id').on(released))
    .leftJoin('media_versions', (join) =>
      join
        .onRef('media_versions.id', '=', 'order_items.version_id')
        .on('media_versions.purged_at', 'is', null),
    )
    .select(['media.id as mediaId', 'media_versions.id as versionId'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute()
}

/** Whether one of these accounts was erased: then there is nobody to give to, or nothing to give. */
export async function isErased(db: Db, userIds: string[]): Promise<boolean> {
  return (await findErased(db, userIds)).size > 0
}

/** Which of these accounts were erased. */
export async function findErased(db: Db, userIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('account_deletions')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('erased_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Whether this buyer is paying at this moment for an item of this kind, or for one of the media of `apart` in whatever
 * they are part of; `ownAttempt` isn't counted.
 */
export async function isBeingPaid(
  db: Db,
  buyerId: string,
  what: { kind: Kind; itemId: string; apart: string[]; ownAttempt: string | null },
): Promise<boolean> {
  const attempt = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('payments.id')
    .where('orders.buyer_id', '=', buyerId)
    .where('orders.status', '=', 'open')
    .where('payments.status', 'in', UNDECIDED_STATUSES)
    .where('payments.id', 'is distinct from', what.ownAttempt)
    .where((eb) =>
      eb.or([
        eb.and([eb('orders.kind', '=', what.kind), eb('orders.item_id', '=', what.itemId)]),
        containsOneOf(what.apart),
      ]),
    )
    .executeTakeFirst()
  return attempt !== undefined
}

/**
 * Whether this buyer's bank took back what they paid for an item, or for one of the media of `apart` in whatever they were
 * part of, and hasn't decided yet: it can't be paid for again.
 */
export async function isDisputed(
  db: Db,
  buyerId: string,
  what: { kind: Kind; itemId: string; apart: string[] },
): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.id', 'orders.paid_by')
    .select('orders.id')
    .where('payments.buyer_id', '=', buyerId)
    // Written out, as the index of these is a partial one.
    .where(sql<boolean>`payments.status = 'disputed'`)
    .where('orders.status', '=', 'paid')
    .where('orders.refunded_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('orders.kind', '=', what.kind),
          eb('orders.item_id', '=', what.itemId),
          eb.or([eb('orders.bought_once', '=', true), eb('orders.kind', '=', 'subscription')]),
        ]),
        containsOneOf(what.apart),
      ]),
    )
    .executeTakeFirst()
  return order !== undefined
}

/** Which of these items this buyer is paying for at this moment, `ownAttempt` not counted, or has disputed, in whatever they are part of. */
export async function listUndecided(
  db: Db,
  buyerId: string,
  mediaIds: string[],
  ownAttempt: string | null,
): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .innerJoin('order_items', 'order_items.order_id', 'orders.id')
    .select('order_items.media_id')
    .where('payments.buyer_id', '=', buyerId)
    .where('payments.id', 'is distinct from', ownAttempt)
    .where('order_items.media_id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where((eb) =>
      eb.or([
        eb.and([eb('orders.status', '=', 'open'), eb('payments.status', 'in', UNDECIDED_STATUSES)]),
        eb.and([
          eb('orders.status', '=', 'paid'),
          eb('orders.refunded_at', 'is', null),
          // Written out, as the index of these is a partial one.
          sql<boolean>`payments.status = 'disputed'`,
        ]),
      ]),
    )
    .execute()
  return new Set(rows.flatMap(({ media_id }) => media_id ?? []))
}

const containsOneOf = (mediaIds: string[]) =>
  sql<boolean>`exists (select from order_items where order_id = orders.id and media_id = any(${mediaIds}::uuid[]))`

export type OwedRow = NonNullable<Awaited<ReturnType<typeof findOwed>>>

/**
 * The subscription of this fan to a plan that is past due, also where that isn't written down yet, while it can still be paid,
 * with what its period costs: the order that is owed, or what one that no run has placed yet would be placed at. Undefined
 * for nothing.
 */
export function findOwed(db: Db, { fanId, planId, now }: { fanId: string; planId: string; now: Date }) {
  return db
    .selectFrom('subscriptions')
    .leftJoin('orders', (join) =>
      join.onRef('orders.subscription_id', '=', 'subscriptions.id').on('orders.status', '=', 'open'),
    )
    .leftJoinLateral(agreedAhead, (join) => join.onTrue())
    .leftJoinLateral(askedPrice, (join) => join.onTrue())
    .select(['orders.amount_cents as owedCents', 'orders.months as owedMonths'])
    .select(['subscriptions.price_cents', 'subscriptions.months'])
    .select(['ahead.months as nextMonths', 'ahead.price_cents as nextCents'])
    .select(['anchor_at as anchorAt', 'current_period_end as currentPeriodEnd'])
    .where('fan_id', '=', fanId)
    .where('plan_id', '=', planId)
    .where('current_period_end', '>', daysAfter(now, -LAST_DAY))
    .where((eb) =>
      eb.or([
        eb('subscriptions.status', '=', 'past_due'),
        eb('subscriptions.status', '=', 'active').and('current_period_end', '<=', graceCutoff(now)),
      ]),
    )
    .where((eb) => eb.or([eb('orders.id', 'is not', null), sql<boolean>`not ${lacksConsent.expression}`]))
    .executeTakeFirst()
}

/** The items, in their versions, that a purchase would give for good, by kind. */
const GIVEN: Partial<Record<Kind, (itemId: string, buyerId: string) => RawBuilder<unknown>>> = {
  single: (itemId) => current(sql`select ${itemId}::uuid`),
  bundle: (itemId) => current(sql`select media_id from bundle_media where bundle_id = ${itemId}`),
  singles: (itemId) => current(sql`select media_id from offer_media where offer_id = ${itemId}`),
  message: (itemId, buyerId) => sql`
    select attached.media_id, attached.version_id
    from message_attachments as attached join messages on messages.id = attached.message_id
      join conversation_members as buyer on buyer.conversation_id = messages.conversation_id and buyer.user_id = ${buyerId}
    where attached.message_id = ${itemId}`,
}

const current = (mediaIds: RawBuilder<unknown>) =>
  sql`select id as media_id, version_id from media where id in (${mediaIds}) and ${sellable}`

/** How much of what this person doesn't own yet of an item their subscriptions show them; null for nothing. */
export async function findLent(
  db: Db,
  { buyerId, kind, itemId, now }: { buyerId: string; kind: Kind; itemId: string; now: Date },
): Promise<'all' | 'some' | null> {
  const given = GIVEN[kind]
  if (!given) return null
  // A subscription shows the current version alone.
  const { rows } = await sql<{ lent: boolean }>`
    select given.version_id = media.version_id and ${subscribed(buyerId, now)} as lent
    from (${given(itemId, buyerId)}) as given join media on media.id = given.media_id
    where ${released} and not ${bought(buyerId)}`.execute(db)
  const lent = rows.filter((row) => row.lent).length
  return lent === 0 ? null : lent === rows.length ? 'all' : 'some'
}
