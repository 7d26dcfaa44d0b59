import { type Kysely, sql } from 'kysely'

/** Files of items that were taken down, which outlive the erasure of their creator's account for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table evidence_holds (
      -- The prefix of the files in the store.
      storage_id uuid primary key,
      -- Of the item, whose row went with the account; the audit log says why it was taken down.
      media_id uuid not null,
      keep_until timestamptz not null
    );
    create index evidence_holds_keep_until on evidence_holds (keep_until)`.execute(db)
}
