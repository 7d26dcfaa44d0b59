import { type Kysely, sql } from 'kysely'

/** Which webhooks of the card gateway have come, so that each makes its transaction be looked up once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway_notices (
      notification_id text primary key,
      event text not null,
      -- Null for what is about no transaction.
      gateway_transaction_id text,
      received_at timestamptz not null
    );
    create index gateway_notices_age on gateway_notices (received_at);
  `.execute(db)
}
