import { type Kysely, sql } from 'kysely'

/** A renewal that is void, as its price isn't agreed to anymore, leaves its period to another order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index orders_subscription_period;
    -- One index for both: a subscription's orders, and that no period has two that count.
    create unique index orders_subscription_period
      on orders (subscription_id, period, (case when status = 'void' then id end)) nulls not distinct
      where subscription_id is not null;
  `.execute(db)
}
