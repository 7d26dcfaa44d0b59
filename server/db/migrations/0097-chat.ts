import { type Kysely, sql } from 'kysely'

/**
 * How far the other person is shown that somebody has read, which a block holds where it is; and limits are counted
 * without a wait for the disk (decision 069).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversation_members add shown_position integer not null default 0;
    update conversation_members set shown_position = read_position where read_position > 0;
    alter table rate_limits set unlogged`.execute(db)
}
