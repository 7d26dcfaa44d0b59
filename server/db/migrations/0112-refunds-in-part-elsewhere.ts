import { type Kysely, sql } from 'kysely'

/** What of a refund was made at the gateway itself and isn't sent, and how long it was sent another way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds
      add column made_cents integer not null default 0,
      add column outside_for interval not null default '0',
      add check (made_cents >= 0 and made_cents < amount_cents)
  `.execute(db)
}
