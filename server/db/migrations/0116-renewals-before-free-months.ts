import { type Kysely, sql } from 'kysely'

/**
 * A renewal that was owed when free months were given is void: the next one is placed after them, at what is agreed by then. One
 * that was declined, or that may be charged, stays owed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update orders set status = 'void', closed_at = greatest(now(), orders.created_at) from subscriptions
      where subscriptions.id = orders.subscription_id and orders.status = 'open'
        and subscriptions.status in ('active', 'canceled')
        and subscriptions.current_period_end > orders.created_at
        and not exists (select from payments where payments.order_id = orders.id
          and payments.status in ('created', 'submitting', 'held', 'unknown'))`.execute(db)
}
