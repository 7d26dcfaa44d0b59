import { type Kysely, sql } from 'kysely'

/** The list of deleted items in order, and the result of the job that makes a frame a video's poster. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index media_restorable on media (creator_id, deleted_at desc, id desc)
      where deleted_at is not null and purged_at is null;

    -- One row for each video of which a frame was ever asked for: the last one.
    create table posters (
      media_id uuid primary key references media (id) on delete cascade,
      label text not null,
      status text not null check (status in ('preparing', 'ready', 'failed'))
    );
  `.execute(db)
}
