import { type RawBuilder, sql } from 'kysely'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'

// Who is a customer of whom, by orders and payments. Stands below every domain that asks; media/entitlements decides
// what somebody may see now.

/**
 * Ids of a creator's current and former subscribers, and of buyers who weren't refunded, but not of who tipped the site. May
 * contain duplicates.
 */
export function customersOf(creatorId: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`(
    select fan_id as id from subscriptions where creator_id = ${creatorId} and status <> 'incomplete'
    union all select buyer_id from orders
      where creator_id = ${creatorId} and status = 'paid' and refunded_at is null and kind <> 'donation'
  )`
}

export type OwnSubscription = { plan_id: string; status: string; current_period_end: string }

/** The subscriptions that a person has, canceled ones until their end, in the order in which they began. */
export function subscriptionsOf(userId: string): RawBuilder<OwnSubscription[]> {
  const live = sql.join(LIVE_STATUSES.map((status) => sql.lit(status)))
  return sql<OwnSubscription[]>`(
    select coalesce(json_agg(json_build_object(
      'plan_id', plan_id, 'status', status, 'current_period_end', current_period_end
    ) order by created_at), '[]')
    from subscriptions where fan_id = ${userId} and status in (${live})
  )`
}

/** Whether a person had a subscription of a creator's at that moment, only ones that had ended, or none. */
export function subscriptionAt(
  userId: RawBuilder<unknown>,
  { creatorId, at }: { creatorId: string; at: Date | null },
): RawBuilder<'current' | 'ended' | 'none'> {
  const hadEnded = sql`status = 'expired' and coalesce(ended_at, current_period_end) <= ${at}`
  return sql<'current' | 'ended' | 'none'>`(
    select case when count(*) = 0 then 'none' when bool_and(${hadEnded}) then 'ended' else 'current' end
    from subscriptions
    where creator_id = ${creatorId} and fan_id = ${userId} and status <> 'incomplete' and created_at <= ${at}
  )`
}

/** Whether a person has a subscription to this plan whose last renewal isn't paid. */
export function isPastDue(userId: RawBuilder<unknown>, planId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from subscriptions where plan_id = ${planId} and fan_id = ${userId} and status = 'past_due')`
}
