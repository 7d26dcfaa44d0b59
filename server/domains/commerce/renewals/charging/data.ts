import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'
import { isBlocked } from '../data.ts'
import type { LastAttempt } from './rules.ts'

export type DueRow = Awaited<ReturnType<typeof lockDue>>[number]

/** Subscriptions whose charge, or next look at it, is due, and that nobody else holds; or this one, due or not. */
export function lockDue(db: Tx, now: Date, limit: number, only?: string) {
  let rows = db
    .selectFrom('subscriptions')
    .innerJoin('subscription_plans as plan', 'plan.id', 'subscriptions.plan_id')
    .innerJoin('users as creator', 'creator.id', 'subscriptions.creator_id')
    .innerJoin('users as fan', 'fan.id', 'subscriptions.fan_id')
    .leftJoin('stored_cards as card', (join) =>
      join
        .onRef('card.id', '=', 'subscriptions.stored_card_id')
        .on('card.livemode', '=', sql<boolean>`installation_livemode()`),
    )
    .select([
      'subscriptions.id',
      'subscriptions.plan_id',
      'subscriptions.fan_id',
      'subscriptions.creator_id',
      'subscriptions.price_cents',
      'subscriptions.status',
      'subscriptions.current_period_end as expiration',
      'subscriptions.stored_card_id',
      'subscriptions.network_transaction_id',
      'card.customer_profile_id',
      'card.payment_profile_id',
      'plan.title',
      'plan.deleted_at as planDeletedAt',
      'creator.username as creatorUsername',
      'creator.hidden_at as creatorHiddenAt',
      'fan.email',
      'fan.hidden_at as fanHiddenAt',
    ])
    .select(isBlocked)
    .where('subscriptions.status', 'in', ['active', 'past_due'])
    .limit(limit)
    .forUpdate('subscriptions')
  if (only === undefined)
    rows = rows
      .where('subscriptions.renewal_due_at', '<=', now)
      .orderBy('subscriptions.renewal_due_at')
      .skipLocked()
  else rows = rows.where('subscriptions.id', '=', only)
  return rows.execute()
}

/** The open renewal of each of these subscriptions, and the latest attempt to pay the period that is due. */
export async function findAttempts(
  db: Db,
  subscriptionIds: string[],
): Promise<Map<string, { openOrderId: string; last: LastAttempt | null }>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('payments')
          .select(['payments.status', 'reason', 'decline_class', 'payments.created_at as at'])
          .whereRef('payments.order_id', '=', 'orders.id')
          .orderBy('payments.created_at', 'desc')
          .orderBy('payments.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['orders.id', 'subscription_id', 'last.status', 'last.reason', 'last.decline_class', 'last.at'])
    .where('orders.status', '=', 'open')
    .where('subscription_id', '=', sql<string>`any(${subscriptionIds}::uuid[])`)
    .execute()
  return new Map(
    rows.map(({ id, subscription_id, status, reason, decline_class: declineClass, at }) => [
      subscription_id ?? '',
      { openOrderId: id, last: status && at ? { status, reason, declineClass, at } : null },
    ]),
  )
}
