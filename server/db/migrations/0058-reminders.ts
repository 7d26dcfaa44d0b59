import { type Kysely, sql } from 'kysely'

/** Whether a reminder of unread messages waits, and up to where somebody had read when one was given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversation_members
      add column remind_at timestamptz,
      add column reminded_position integer`.execute(db)
}
