import { type Kysely, sql } from 'kysely'

/** What finds the journals of a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index journals_occurred on journals (occurred_at)`.execute(db)
}
