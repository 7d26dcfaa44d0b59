import { type Kysely, sql } from 'kysely'

/** Refunds that were made at the gateway itself are found by the payment that they are of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index findings_refunds on findings (payment_id) where kind = 'unknown_refund'`.execute(db)
}
