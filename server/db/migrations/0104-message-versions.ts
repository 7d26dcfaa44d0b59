import { type Kysely, sql } from 'kysely'

/** What a message said before each edit, and what of that a report keeps; one reason for each mass message without its media. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_versions (
      message_id uuid not null references messages (id) on delete cascade,
      -- Of the edit that ended it.
      revision integer not null,
      content text not null,
      until timestamptz not null,
      primary key (message_id, revision)
    );
    create index message_versions_until on message_versions (until);
    alter table message_reports add column earlier jsonb not null default '[]';
    -- Whose attachments were gone altogether: told as such, like those of which some were.
    update mass_messages set failure = 'attachment_unavailable'
      where failure in ('message_empty', 'price_without_attachments')`.execute(db)
}
