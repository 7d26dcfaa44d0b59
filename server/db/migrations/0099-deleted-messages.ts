import { type Kysely, sql } from 'kysely'

/** Which messages of a forum inbox were deleted there, so that an interrupted deletion resumes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table forum_messages add deleted_at timestamptz`.execute(db)
}
