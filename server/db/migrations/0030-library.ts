import { type Kysely, sql } from 'kysely'

/** Long videos wait in a line of their own (docs/decisions/030-turns-of-uploads.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table uploads add column line text not null default 'picture'
      check (line in ('picture', 'short_video', 'long_video'));
    update uploads
      set line = case when coalesce(bytes, reserved_bytes, 0) < 200000000 then 'short_video' else 'long_video' end
      where moving;
    -- The column stays: a process of the version before, which may still run, writes and reads it.
    drop index uploads_turns, uploads_finished;
    create index uploads_turns on uploads (line, turn, id) where status = 'processing';
    create index uploads_finished on uploads (line, finished_at) where finished_at is not null;
  `.execute(db)
}
