import { type Kysely, sql } from 'kysely'

/** Free months of a subscription, which its periods are counted behind; and a creator's subscribers, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions add column extended_months integer not null default 0 check (extended_months >= 0);
    create index subscriptions_subscribers on subscriptions (creator_id, created_at desc, id desc)
      where status in ('trialing', 'active', 'past_due', 'canceled');
    create index subscriptions_former_subscribers on subscriptions (creator_id, created_at desc, id desc)
      where status = 'expired';
  `.execute(db)
}
