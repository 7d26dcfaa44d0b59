import { type Kysely, sql } from 'kysely'

/** How much each person wrote in a conversation, as somebody who never answered gets only so much; counted from here on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversation_members add written integer not null default 0`.execute(db)
}
