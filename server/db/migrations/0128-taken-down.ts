import { type Kysely, sql } from 'kysely'

/** Whether an item was taken down is asked for a hundred at once, of which hardly any was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index media_taken_down on media (id) where quarantined_at is not null`.execute(db)
}
