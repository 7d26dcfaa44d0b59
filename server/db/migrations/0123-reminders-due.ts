import { type Kysely, sql } from 'kysely'

/** Reminders that wait, by when they are due, as one job looks for all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index conversation_members_reminders on conversation_members (remind_at) where remind_at is not null`.execute(
    db,
  )
}
