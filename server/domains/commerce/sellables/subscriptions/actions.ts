import { sql } from 'kysely'
import { formatMoney } from '../../../../../contract/money.ts'
import { accessUntil } from '../../../../../contract/subscriptions.ts'
import type { Tx } from '../../../../db/client.ts'
import { LATER } from '../../../../jobs/enqueue.ts'
import { grant, grantPlans } from '../../../media/entitlements/actions.ts'
import { notifyEach } from '../../../notifications/actions.ts'
import { cardName } from '../../cards/rules.ts'
import { passOnMissed } from '../../price-changes/actions.ts'
import { endSubscriptions, renewSubscriptions, startSubscription } from '../../subscriptions/actions.ts'
import { offeredTerms } from '../../subscriptions/data.ts'
import { priceFor } from '../../subscriptions/rules.ts'
import { itemOf, type PaidOrder, type Sellable, SOLD_COLUMNS } from '../data.ts'

/** The items of a plan, for as long as it is paid for. */
export const subscription: Sellable = {
  boughtOnce: false,
  renews: true,
  async find(db, itemId, { buyerId, months }) {
    const sold = await db
      .selectFrom('subscription_plans as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(SOLD_COLUMNS)
      .leftJoin('offer_contents as content', 'content.offer_id', 'item.id')
      .select(offeredTerms(sql`item.id`))
      .select(sql<number>`coalesce(content.photos + content.videos, 0)`.as('includes'))
      // A past-due subscriber pays what is owed in the same way as a new purchase.
      .select('item.retired_at')
      .select((eb) =>
        eb
          .selectFrom('subscriptions')
          .innerJoin('orders', 'orders.subscription_id', 'subscriptions.id')
          .select('orders.amount_cents')
          .whereRef('plan_id', '=', 'item.id')
          .where('fan_id', '=', buyerId)
          .where('subscriptions.status', '=', 'past_due')
          .where('orders.status', '=', 'open')
          .where('orders.months', '=', months)
          .as('owedCents'),
      )
      .where('item.id', '=', itemId)
      .where('item.deleted_at', 'is', null)
      .modifyEnd(sql`for share of item`)
      .executeTakeFirst()
    if (!sold) return null
    const priceCents = priceFor(sold, months)
    const retired = sold.retired_at !== null && (priceCents === null || sold.owedCents !== priceCents)
    const item = { ...itemOf('subscription', sold, null), includes: sold.includes, retired, months }
    return priceCents === null ? { ...item, termGone: true } : { ...item, priceCents }
  },
  async isOwned(db, buyerId, { id }) {
    const live = await db
      .selectFrom('subscriptions')
      .select('id')
      .where('fan_id', '=', buyerId)
      .where('plan_id', '=', id)
      // A past-due subscriber may pay the renewal that is owed, or subscribe again at a price that has changed.
      .where('status', 'in', ['trialing', 'active', 'canceled'])
      .executeTakeFirst()
    return live !== undefined
  },
  async grant(db, { id: orderId, buyerId, itemId: planId, ...order }) {
    const { subscriptionId } = order
    if (subscriptionId !== null)
      return renewEach(db, [{ ...order, subscriptionId, id: orderId, buyerId, itemId: planId }], order.now)
    await endPastDue(db, buyerId, planId, order.now)
    const cents = order.trial?.renewalCents ?? order.amountCents
    const subscription = await startSubscription(db, {
      planId,
      orderId,
      fanId: buyerId,
      creatorId: order.creatorId,
      priceCents: cents,
      months: order.months,
      trialDays: order.trial?.days ?? null,
      storedCardId: order.storedCardId,
      networkTransactionId: order.charge.networkTransactionId,
      now: order.now,
    })
    const paying = { months: order.months, cents }
    await passOnMissed(db, { subscriptionId: subscription.id, planId, paying }, order.now)
    const validUntil = accessUntil(subscription.currentPeriodEnd)
    const source = { kind: 'subscription', id: subscription.id } as const
    await grant(db, { userId: buyerId, source, gives: { planId, validUntil }, now: order.now })
  },
  async revoke(db, { id: orderId, subscriptionId }, now) {
    if (subscriptionId === null) return
    const later = await db
      .selectFrom('orders')
      .select('id')
      .where('subscription_id', '=', subscriptionId)
      .where('status', '=', 'paid')
      .where('refunded_at', 'is', null)
      .where('period', '>', (eb) => eb.selectFrom('orders').select('period').where('id', '=', orderId))
      .executeTakeFirst()
    // The grant of a later period stays.
    if (!later) await endSubscriptions(db, [subscriptionId], 'void', now)
  },
}

/** The renewal of an order that was just paid. */
export type PaidRenewal = Pick<
  PaidOrder,
  'id' | 'buyerId' | 'itemId' | 'amountCents' | 'storedCardId' | 'isRenewedByUs' | 'charge'
> & { subscriptionId: string }

/** Gives each of these the next period, and sends the receipts. */
export async function renewEach(db: Tx, orders: PaidRenewal[], now: Date): Promise<void> {
  const renewed = await renewSubscriptions(
    db,
    orders.map(({ id: orderId, subscriptionId, isRenewedByUs, storedCardId, charge }) => ({
      subscriptionId,
      orderId,
      storedCardId: isRenewedByUs ? null : storedCardId,
      networkTransactionId: charge.networkTransactionId,
    })),
    now,
  )
  const given = orders.flatMap((order) => {
    const period = renewed.get(order.subscriptionId)
    return period ? [{ ...order, ...period }] : []
  })
  const plans = given.map(({ buyerId: userId, subscriptionId, itemId: planId, currentPeriodEnd }) => ({
    userId,
    subscriptionId,
    planId,
    validUntil: accessUntil(currentPeriodEnd),
  }))
  await grantPlans(db, plans, now)
  const receipts = given.map(
    ({ id, buyerId: person, title, months, amountCents, charge, currentPeriodEnd }) => {
      const data = {
        title,
        amount: formatMoney(amountCents),
        card: cardName(charge.card.brand, charge.card.lastFour) ?? '',
        until: currentPeriodEnd.toISOString().slice(0, 10),
        months,
        number: id,
      }
      const event = { kind: 'subscription.renewed' as const, person, data }
      return { event, once: `subscription.renewed ${id}` }
    },
  )
  await notifyEach(db, receipts, { now, priority: LATER })
}

/** Somebody who subscribes again at another price has given up the renewal that is owed. */
async function endPastDue(db: Tx, fanId: string, planId: string, now: Date): Promise<void> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fanId)
    .where('plan_id', '=', planId)
    .where('status', '=', 'past_due')
    .forUpdate()
    .execute()
  await endSubscriptions(
    db,
    rows.map(({ id }) => id),
    'void',
    now,
  )
}
