import { type Kysely, sql } from 'kysely'

/** Finds who wrote to a creator among all whom the creator wrote to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index conversation_members_writers on conversation_members (other_id, user_id) where wrote`.execute(
    db,
  )
}
