import { type Kysely, sql } from 'kysely'

/**
 * A message goes only with its conversation, so the conversation's newest one needs no check at every message; without
 * the index its row is changed in place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversations drop constraint conversations_last_message;
    drop index conversations_last_message;
  `.execute(db)
}
