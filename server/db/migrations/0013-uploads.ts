import { type Kysely, sql } from 'kysely'

/** Files for a signed address that arrive in several requests, and the room that unfinished uploads take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What the file takes up or may take up: counted against its owner's room until it is ready or refused.
    alter table uploads add column reserved_bytes bigint check (reserved_bytes >= 0);
    update uploads set reserved_bytes = coalesce(bytes, total_chunks * 1048576::bigint);
    -- How many parts were started; each has a number of its own, so that no two requests write to the same.
    alter table uploads add column parts_begun integer not null default 0;
    -- Rows stay until the chunks are put together; those that were complete already lost theirs.
    insert into upload_chunks (upload_id, number, bytes)
    select id, number, 1048576 from uploads, generate_series(0, total_chunks - 1) as number
    where status = 'processing' and bytes is null and total_chunks is not null
    on conflict do nothing;
  `.execute(db)
}
