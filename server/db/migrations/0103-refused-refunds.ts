import { type Kysely, sql } from 'kysely'

/** What finds refunds of the product's own that the gateway refused, which operators are shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index refunds_refused on refunds (payment_id) where status = 'refused' and requested_by is null
  `.execute(db)
}
