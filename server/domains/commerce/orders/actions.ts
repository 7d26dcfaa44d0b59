import type { CommissionReading } from '../../../../contract/commissions.ts'
import { TERMS_VERSION } from '../../../../contract/constants.ts'
import { isDiscount, offeredKind } from '../../../../contract/offers.ts'
import { type Kind, UNDECIDED_STATUSES } from '../../../../contract/orders.ts'
import type { TermMonths } from '../../../../contract/subscriptions.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { consentNetwork } from '../../../networks.ts'
import type { Audience } from '../../../viewer.ts'
import { unlockedMediaIds } from '../../media/entitlements/data.ts'
import { hasBlocked, isReachable } from '../../profiles/data.ts'
import { findOffer, findOfferViewer, listOffered } from '../offers/data.ts'
import { reserveRedemption } from '../offers/redeeming/actions.ts'
import { type OfferTerms, redeemRefusal, viewOf } from '../offers/rules.ts'
import { agreeCommissions } from '../referrals/actions.ts'
import { settleMissed } from '../renewals/placing/actions.ts'
import { sellables } from '../sellables/actions.ts'
import { expireSubscriptions } from '../subscriptions/actions.ts'
import { findOrdered, hasAttemptUnderWay, isBeingPaid, isDisputed, listUndecided } from './data.ts'
import {
  discounted,
  feeBasisPointsOf,
  type Item,
  isChange,
  isSameOrder,
  lessOwned,
  refusal,
  termsNow,
} from './rules.ts'

/** A buyer's order request, and the price and contents that they were shown. */
export type Wanted = {
  buyer: Audience & { id: string; email: string }
  kind: Kind
  itemId: string
  /** How much a tip or a donation is to be, in cents; of nothing else. */
  amountCents: number | null
  /** For how many months a subscription is to be paid at a time; 1 of anything else. */
  months: TermMonths
  /** The price that the buyer was shown in cents, or null when they did not say. */
  shownCents: number | null
  /** How many items the buyer was shown to be in it, or null when they did not say. */
  shownItems: number | null
  /** The fingerprint of the contents that the buyer was shown, or null when they did not say. */
  shownVersion: string | null
  /** In how many days the buyer was shown that a custom request is delivered, or null. */
  shownDays: number | null
  /** The discount offer that it is bought by. */
  offerId: string | null
  /** The monthly price after a trial that the buyer was shown, or null. */
  shownRenewalCents: number | null
  /** Where the buyer agreed to the terms from. */
  ip: string
}

/** The rules for every purchase at this moment. */
export type Moment = {
  publishingOpen: boolean
  feePercent: number
  /** The lowest price of anything on sale, in cents. */
  leastCents: number
  brand: string
  commission: CommissionReading
  now: Date
}

export type OpenOrder = {
  id: string
  amount_cents: number
  creator_id: string
  months: TermMonths
  offer_id: string | null
  trial_days: number | null
  renewal_cents: number | null
}

/**
 * The order that the buyer owes for the item as it is now: one that is open already if nothing has changed since, else a
 * new one. It takes the place of an earlier one; only a renewal stays owed until one of the two is paid. Throws what
 * `refusal` says, and `purchase_in_progress`.
 */
export async function placeOrder(db: Tx, wanted: Wanted, moment: Moment): Promise<OpenOrder> {
  // A renewal is charged only by who holds its subscription, and a fan who is past due may be paying at this moment.
  if (sellables[wanted.kind].renews) {
    await lockSubscriptions(db, wanted)
    await expireSubscriptions(db, moment.now, wanted.buyer.id)
    await settleMissed(db, { fanId: wanted.buyer.id, planId: wanted.itemId }, moment, moment.now)
  }
  const item = await requireBuyable(db, wanted, moment, null)
  for (const open of await lockOpenOrders(db, wanted)) {
    if (await hasAttemptUnderWay(db, open.id)) throw new AppError('purchase_in_progress')
    const contents = (await findOrdered(db, open.id)).map(({ mediaId, versionId }) =>
      mediaId && versionId ? { mediaId, versionId } : null,
    )
    const { amount_cents: amountCents, months } = open
    if (isSameOrder({ amountCents, contents, months, offer: termsOf(open) }, item)) {
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
  const { buyer, kind, itemId, shownCents, shownItems, shownVersion, shownDays, shownRenewalCents } = wanted
  const sellable = sellables[kind]
  const { amountCents, months } = wanted
  const found = await sellable.find(db, itemId, {
    ...{ buyerId: buyer.id, amountCents, months, brand: moment.brand },
  })
  // Of a donation nothing depends on the account that stands on it as its seller.
  const seller = found && !found.isPlatforms ? found.creatorId : null
  if (seller && !(await isReachable(db, seller, buyer))) throw new AppError('item_not_found')
  if (seller && (await hasBlocked(db, seller, buyer.id))) throw new AppError('item_not_found')
  const item = found && lessOwned(await byOffer(db, found, wanted, moment.now), moment.leastCents)
  const apart = found ? await listWaitedFor(db, buyer.id, found, ownAttempt) : []
  const open = await isBeingPaid(db, buyer.id, { kind, itemId, apart, ownAttempt })
  const has = await sellable.isOwned(db, buyer.id, { id: itemId, contents: item?.contents ?? [] })
  // Items that were revoked aren't owned, so they would be paid for again.
  const again = item?.paidAlone ? mediaIdsOf(item) : apart
  const disputed = await isDisputed(db, buyer.id, { kind, itemId, apart: again })
  const refused = refusal(
    item,
    { open, has, disputed },
    {
      buyerId: buyer.id,
      blockedSeller: seller !== null && (await hasBlocked(db, buyer.id, seller)),
      shownCents,
      shownItems,
      shownVersion,
      shownDays,
      shownRenewalCents,
      publishingOpen: moment.publishingOpen,
    },
  )
  if (!item) throw new AppError('item_not_found')
  if (refused) throw new AppError(refused, isChange(refused) ? { details: termsNow(item) } : {})
  return item
}

const mediaIdsOf = ({ contents }: Item): string[] => contents?.map(({ mediaId }) => mediaId) ?? []

/**
 * The items that make their buyer wait while they are paid for, or disputed, as part of something else. Of what has one
 * price for whatever its buyer has, it is those that they don't have, where nothing else would be bought.
 */
async function listWaitedFor(
  db: Tx,
  buyerId: string,
  item: Item,
  ownAttempt: string | null,
): Promise<string[]> {
  const mediaIds = mediaIdsOf(item)
  if (item.paidAlone || mediaIds.length === 0) return mediaIds
  const owned = await unlockedMediaIds(db, buyerId, mediaIds)
  const rest = mediaIds.filter((id) => !owned.has(id))
  const undecided = await listUndecided(db, buyerId, rest, ownAttempt)
  return rest.every((id) => undecided.has(id)) ? rest : []
}

const OPEN_ORDER = [
  ...(['id', 'amount_cents', 'creator_id', 'months'] as const),
  ...(['offer_id', 'trial_days', 'renewal_cents'] as const),
] as const

function termsOf({
  offer_id: id,
  trial_days: days,
  renewal_cents: renewalCents,
}: OpenOrder): OfferTerms | null {
  if (id === null) return null
  return { id, trial: days !== null && renewalCents !== null ? { days, renewalCents } : null }
}

/**
 * The item at the price of the offer that the buyer named. Throws `offer_not_found` for one of something else, and what
 * `redeemRefusal` says.
 */
async function byOffer(db: Tx, item: Item, wanted: Wanted, now: Date): Promise<Item> {
  const offerId = wanted.kind === 'singles' ? wanted.itemId : wanted.offerId
  if (offerId === null) return item
  const offer = await findOffer(db, offerId, wanted.buyer)
  const ids = offer && [offer.plan_id, offer.bundle_id, offer.id]
  if (
    !offer ||
    !ids?.includes(wanted.itemId) ||
    offeredKind(offer.type) !== wanted.kind ||
    !isDiscount(offer.type)
  )
    throw new AppError('offer_not_found')
  const viewer = await findOfferViewer(db, offer, await listOffered(db, offer), wanted.buyer.id)
  // A payment under way is told before that the offer gives what one has.
  const view = viewOf(offer, { ...viewer, owns: viewer.owns && offer.plan_id !== null }, now)
  const refused = redeemRefusal(view, offer.type)
  if (refused) throw new AppError(refused)
  return discounted(item, offer)
}

/** The open orders of this buyer for the item: a renewal that is owed before one that was never paid. */
function lockOpenOrders(db: Tx, { buyer, kind, itemId }: Wanted) {
  return db
    .selectFrom('orders')
    .select([...OPEN_ORDER, 'subscription_id'])
    .where('buyer_id', '=', buyer.id)
    .where('kind', '=', kind)
    .where('item_id', '=', itemId)
    .where('status', '=', 'open')
    .orderBy('subscription_id', (order) => order.asc().nullsLast())
    .forUpdate()
    .execute()
}

/** The terms that the buyer agreed to, when, and from which network, the only part of the address that is kept. */
function consent({ ip }: Wanted, now: Date) {
  return { terms_version: TERMS_VERSION, consented_at: now, consent_network: consentNetwork(ip) }
}

/** From here on the bought items are fixed, whatever their creator does. */
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
      months: item.months ?? 1,
      full_cents: item.reduction?.fullCents ?? null,
      owned_items: item.reduction?.ownedItems ?? null,
      fee_basis_points: feeBasisPointsOf(item, moment.feePercent),
      bought_once: sellables[wanted.kind].boughtOnce,
      offer_id: item.offer?.id ?? null,
      trial_days: item.offer?.trial?.days ?? null,
      renewal_cents: item.offer?.trial?.renewalCents ?? null,
      created_at: moment.now,
      tried_at: moment.now,
      ...consent(wanted, moment.now),
    })
    .returning([...OPEN_ORDER, 'buyer_id', 'fee_basis_points'])
    .executeTakeFirstOrThrow()
  if (!item.isPlatforms) await agreeCommissions(db, [order], moment.commission, moment.now)
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
  if (item.offer)
    await reserveRedemption(db, {
      offerId: item.offer.id,
      fanId: wanted.buyer.id,
      orderId: order.id,
      now: moment.now,
    })
  return order
}

/** Nobody pays an open order anymore: what shows up late for it is given back. */
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
