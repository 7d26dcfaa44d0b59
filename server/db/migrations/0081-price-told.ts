import { type Kysely, sql } from 'kysely'

/** When the fan of a subscription was last told of a price of it, so that no creator fills their inbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions add column price_told_at timestamptz;
    update subscriptions set price_told_at = told.at from (
      select subscription_id, max(told_at) as at from price_change_notices group by 1
    ) as told where told.subscription_id = subscriptions.id and told.at is not null;
  `.execute(db)
}
