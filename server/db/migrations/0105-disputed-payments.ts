import { type Kysely, sql } from 'kysely'

/** What finds the payments of a buyer that a bank took back, before anything is sold to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payments_disputed on payments (buyer_id) where status = 'disputed'`.execute(db)
}
