import { type Kysely, sql } from 'kysely'

/**
 * Whether a reminder of unread messages waits, and up to where somebody had read when one was given; what a message said
 * that its sender deleted, for as long as it can be reported.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversation_members
      add column remind_at timestamptz,
      add column reminded_position integer;
    alter table messages
      add column kept_content text,
      add check (kept_content is null or deleted_at is not null);
    create index messages_kept on messages (deleted_at) where kept_content is not null`.execute(db)
}
