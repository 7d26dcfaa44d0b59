import { type Kysely, sql } from 'kysely'

/** What was told while no emails were wanted waits for none anymore, as it would come with the next digest or summary. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update notifications set mailed_by = id
    where mailed_by is null and read_at is null and created_at < now() - interval '8 days'`.execute(db)
}
