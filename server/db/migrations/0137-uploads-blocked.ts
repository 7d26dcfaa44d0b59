import { type Kysely, sql } from 'kysely'

/** Files that can't be uploaded again, each by the item for which it was taken down (decision 079). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table blocked_files (
      -- SHA-256 of the file as it was uploaded, in hex.
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      -- No reference: the block outlives its item, whose creator may be erased.
      media_id uuid not null,
      ground text not null,
      blocked_at timestamptz not null,
      primary key (sha256, media_id)
    );
    create index blocked_files_media on blocked_files (media_id);
  `.execute(db)
}
