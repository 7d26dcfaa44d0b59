import { type Kysely, sql } from 'kysely'

/** Operators who take an item down see which other items have the same file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index media_versions_contents on media_versions (sha256) where sha256 is not null`.execute(
    db,
  )
}
