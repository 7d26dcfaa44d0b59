import { type RawBuilder, sql } from 'kysely'
import { LIVE_STATUSES } from '../../../../contract/subscriptions.ts'

// Who is whose customer, by what they began and paid; below every domain that asks. What somebody may see now is said
// by media/entitlements.

/** The ids of whoever subscribes to a creator or did, and of whoever bought from them and wasn't refunded; some several times. */
export function customersOf(creatorId: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`(
    select fan_id as id from subscriptions where creator_id = ${creatorId} and status <> 'incomplete'
    union all select buyer_id from orders where creator_id = ${creatorId} and status = 'paid' and refunded_at is null
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
