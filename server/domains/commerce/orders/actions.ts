import { TERMS_VERSION } from '../../../../contract/constants.ts'
import { type Kind, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { consentNetwork } from '../../../networks.ts'
import type { Audience } from '../../../viewer.ts'
import { hasBlocked, isReachable } from '../../profiles/data.ts'
import { sellables } from '../sellables/actions.ts'
import { expireSubscriptions } from '../subscriptions/actions.ts'
import { findOrdered, hasAttemptUnderWay } from './data.ts'
import { type Item, isSameOrder, refusal } from './rules.ts'

/** What somebody wants to buy, and what they were shown of it. */
export type Wanted = {
  buyer: Audience & { id: string; email: string }
  kind: Kind
  itemId: string
  /** The price that the buyer was shown in cents, or null when they did not say. */
  shownCents: number | null
  /** How many items the buyer was shown to be in it, or null when they did not say. */
  shownItems: number | null
  /** Where the buyer agreed to the terms from. */
  ip: string
}

/** What holds for every purchase at this moment. */
export type Moment = { publishingOpen: boolean; feePercent: number; now: Date }

export type OpenOrder = { id: string; amount_cents: number; creator_id: string }

/**
 * The order that the buyer owes for the item as it is now: one that is open already if nothing has changed since, else a
 * new one. It takes the place of an earlier one; only a renewal stays owed until one of the two is paid. Throws what
 * `refusal` says, and `purchase_in_progress`.
 */
export async function placeOrder(db: Tx, wanted: Wanted, moment: Moment): Promise<OpenOrder> {
  // A renewal is charged only by who holds its subscription, and a fan who is past due may be paying at this moment.
  if (sellables[wanted.kind].renews) await lockSubscriptions(db, wanted)
  const item = await requireBuyable(db, wanted, moment, null)
  for (const open of await lockOpenOrders(db, wanted)) {
    if (await hasAttemptUnderWay(db, open.id)) throw new AppError('purchase_in_progress')
    const contents = (await findOrdered(db, open.id)).map(({ mediaId, versionId }) =>
      mediaId && versionId ? { mediaId, versionId } : null,
    )
    if (isSameOrder({ amountCents: open.amount_cents, contents }, item)) {
      await db
        .updateTable('orders')
        .set({ tried_at: moment.now, ...consent(wanted, moment.now) })
        .where('id', '=', open.id)
        .execute()
      return open
    }
    if (open.subscription_id === null) await closeOrder(db, open.id, moment.now)
  }
  return insertOrder(db, wanted, item, moment)
}

async function lockSubscriptions(db: Tx, { buyer, itemId }: Wanted): Promise<void> {
  await db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', buyer.id)
    .where('plan_id', '=', itemId)
    .where('status', 'in', ['active', 'past_due'])
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The item as it is sold now, when this buyer may buy it; throws what `refusal` says. `ownAttempt` is not counted as open. */
export async function requireBuyable(
  db: Tx,
  wanted: Wanted,
  moment: Moment,
  ownAttempt: string | null,
): Promise<Item> {
  const { buyer, kind, itemId, shownCents, shownItems } = wanted
  const sellable = sellables[kind]
  if (sellable.renews) await expireSubscriptions(db, moment.now, buyer.id)
  const item = await sellable.find(db, itemId)
  if (item && !(await isReachable(db, item.creatorId, buyer))) throw new AppError('item_not_found')
  if (item && (await hasBlocked(db, item.creatorId, buyer.id))) throw new AppError('item_not_found')
  const open = await db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .select('payments.id')
    .where('orders.buyer_id', '=', buyer.id)
    .where('orders.kind', '=', kind)
    .where('orders.item_id', '=', itemId)
    .where('orders.status', '=', 'open')
    .where('payments.status', 'in', UNDECIDED_STATUSES)
    .where('payments.id', 'is distinct from', ownAttempt)
    .executeTakeFirst()
  const has = await sellable.isOwned(db, buyer.id, { id: itemId, contents: item?.contents ?? [] })
  const refused = refusal(
    item,
    { open: open !== undefined, has },
    {
      buyerId: buyer.id,
      blockedSeller: item !== null && (await hasBlocked(db, buyer.id, item.creatorId)),
      shownCents,
      shownItems,
      publishingOpen: moment.publishingOpen,
    },
  )
  if (refused || !item) throw new AppError(refused ?? 'item_not_found')
  return item
}

/** The open orders of this buyer for the item: a renewal that is owed before one that was never paid. */
function lockOpenOrders(db: Tx, { buyer, kind, itemId }: Wanted) {
  return db
    .selectFrom('orders')
    .select(['id', 'amount_cents', 'creator_id', 'subscription_id'])
    .where('buyer_id', '=', buyer.id)
    .where('kind', '=', kind)
    .where('item_id', '=', itemId)
    .where('status', '=', 'open')
    .orderBy('subscription_id', (order) => order.asc().nullsLast())
    .forUpdate()
    .execute()
}

/** What the buyer agreed to, when, and from which network: all of the address that is kept. */
function consent({ ip }: Wanted, now: Date) {
  return { terms_version: TERMS_VERSION, consented_at: now, consent_network: consentNetwork(ip) }
}

/** What is bought stays what it is from here on, whatever its creator does with it. */
async function insertOrder(db: Tx, wanted: Wanted, item: Item, moment: Moment): Promise<OpenOrder> {
  const order = await db
    .insertInto('orders')
    .values({
      buyer_id: wanted.buyer.id,
      creator_id: item.creatorId,
      kind: wanted.kind,
      item_id: wanted.itemId,
      title: item.title,
      amount_cents: item.priceCents,
      fee_basis_points: Math.round(moment.feePercent * 100),
      bought_once: sellables[wanted.kind].boughtOnce,
      created_at: moment.now,
      tried_at: moment.now,
      ...consent(wanted, moment.now),
    })
    .returning(['id', 'amount_cents', 'creator_id'])
    .executeTakeFirstOrThrow()
  const contents = item.contents ?? []
  if (contents.length > 0)
    await db
      .insertInto('order_items')
      .values(
        contents.map(({ mediaId, versionId }, position) => ({
          order_id: order.id,
          position,
          media_id: mediaId,
          version_id: versionId,
        })),
      )
      .execute()
  return order
}

/** Nobody pays an open order any more: what shows up late for it is given back. */
export async function closeOrder(db: Tx, orderId: string, now: Date): Promise<void> {
  await db
    .updateTable('orders')
    .set({ status: 'void', closed_at: now })
    .where('id', '=', orderId)
    .where('status', '=', 'open')
    .execute()
}

/** Closes the orders that nobody is paying, and last tried to before this moment. */
export async function closeUnpaid(db: Tx, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('orders')
    .set({ status: 'void', closed_at: now })
    .where('status', '=', 'open')
    // A renewal is open until it is paid, or its subscription ends.
    .where('subscription_id', 'is', null)
    .where('tried_at', '<=', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payments')
            .select('payments.id')
            .whereRef('payments.order_id', '=', 'orders.id')
            .where('payments.status', 'in', UNDECIDED_STATUSES),
        ),
      ),
    )
    .execute()
}
