import { type Kysely, sql } from 'kysely'

/** Which messages of a forum inbox were deleted there, so that a deletion that stopped half way goes on from there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table forum_messages add deleted_at timestamptz`.execute(db)
}
