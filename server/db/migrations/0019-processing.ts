import { type Kysely, sql } from 'kysely'

/** Whose upload is prepared next, how long others take, which files were broken in part, and why others' were replaced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Videos and animations wait behind one another, pictures only behind pictures.
    alter table uploads add column moving boolean not null default false;
    -- Uploads are prepared by turn, then by id; a person's next upload gets a later turn than the one before.
    alter table uploads add column turn integer not null default 0;
    alter table uploads add column attempts integer not null default 0;
    -- Not tried again before this time, after a failed attempt.
    alter table uploads add column not_before timestamptz;
    alter table uploads add column started_at timestamptz;
    alter table uploads add column finished_at timestamptz;
    -- Why the file of somebody else's item is replaced, for the audit log.
    alter table uploads add column reason text;
    create index uploads_turns on uploads (moving, turn, id) where status = 'processing';
    create index uploads_finished on uploads (moving, finished_at) where finished_at is not null;
    -- At least 95% of the file could be read, but not all.
    alter table media add column damaged boolean not null default false;
    create index media_bytes on media (creator_id) include (bytes) where deleted_at is null;
  `.execute(db)
}
