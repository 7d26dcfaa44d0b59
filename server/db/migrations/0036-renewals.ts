import { type Kysely, sql } from 'kysely'

/** When a subscription is next charged, or looked at, and whether its fan was told of that; what is live is due at its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions
      add column renewal_due_at timestamptz,
      add column reminded_at timestamptz;
    update subscriptions set renewal_due_at = current_period_end where status in ('active', 'past_due');
    create index subscriptions_renewal_due on subscriptions (renewal_due_at) where status in ('active', 'past_due');
    create index subscriptions_to_remind on subscriptions (current_period_end)
      where status = 'active' and reminded_at is null;
  `.execute(db)
}
