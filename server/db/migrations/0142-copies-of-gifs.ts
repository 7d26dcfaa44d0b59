import { type Kysely, sql } from 'kysely'

/** Operators who take an external gif down see which other items have the same one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index media_versions_gifs on media_versions (red_gif) where red_gif <> ''`.execute(db)
}
