import { type Kysely, sql } from 'kysely'

/** Sales are counted whatever was given back of them since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index payments_decided;
    create index payments_decided on payments (decided_at) where status in ('captured', 'disputed', 'refunded');
  `.execute(db)
}
