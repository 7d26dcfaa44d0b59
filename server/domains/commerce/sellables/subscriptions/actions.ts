import { LIVE_STATUSES } from '../../../../../contract/subscriptions.ts'
import { grant, revoke } from '../../../media/entitlements/actions.ts'
import { startSubscription } from '../../subscriptions/actions.ts'
import { accessUntil } from '../../subscriptions/rules.ts'
import { itemOf, type Sellable, SOLD_COLUMNS } from '../data.ts'

/** What a plan holds, for as long as it is paid for. */
export const subscription: Sellable = {
  boughtOnce: false,
  renews: true,
  async find(db, itemId) {
    const sold = await db
      .selectFrom('subscription_plans as item')
      .innerJoin('users', 'users.id', 'item.creator_id')
      .select(SOLD_COLUMNS)
      .where('item.id', '=', itemId)
      .where('item.deleted_at', 'is', null)
      .executeTakeFirst()
    return sold ? itemOf('subscription', sold, null) : null
  },
  async isOwned(db, buyerId, { id }) {
    const live = await db
      .selectFrom('subscriptions')
      .select('id')
      .where('fan_id', '=', buyerId)
      .where('plan_id', '=', id)
      .where('status', 'in', LIVE_STATUSES)
      .executeTakeFirst()
    return live !== undefined
  },
  async grant(db, { id: orderId, buyerId, itemId: planId, ...order }) {
    const subscription = await startSubscription(db, {
      planId,
      orderId,
      fanId: buyerId,
      creatorId: order.creatorId,
      priceCents: order.amountCents,
      storedCardId: order.storedCardId,
      networkTransactionId: order.charge.networkTransactionId,
      now: order.now,
    })
    const validUntil = accessUntil(subscription.currentPeriodEnd)
    const source = { kind: 'subscription', id: subscription.id } as const
    await grant(db, { userId: buyerId, source, gives: { planId, validUntil }, now: order.now })
  },
  async revoke(db, { subscriptionId }, now) {
    if (subscriptionId === null) return
    await db
      .updateTable('subscriptions')
      .set({ status: 'expired', ended_at: now })
      .where('id', '=', subscriptionId)
      .where('status', 'in', LIVE_STATUSES)
      .execute()
    await revoke(db, 'subscription', [subscriptionId], now)
  },
}
