import { type Kysely, sql } from 'kysely'

/** Payments by how they stand, the newest first, as operators list them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payments_by_status on payments (status, created_at desc, order_id desc)`.execute(db)
}
