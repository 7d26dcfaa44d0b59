import { type Kysely, sql } from 'kysely'

/** What the creator of an item that is taken down is told of why; those of before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media
      add column quarantine_ground text
        check (quarantine_ground in ('illegal', 'consent', 'copyright', 'terms', 'review')),
      add column quarantine_note text not null default '',
      add check (quarantine_ground is null or quarantined_at is not null)`.execute(db)
}
