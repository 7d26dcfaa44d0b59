import { type Kysely, sql } from 'kysely'

/** Which items an export holds: one that is taken down while it is made takes the export with it, whenever each began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table data_exports add column media_ids uuid[] not null default '{}';
    update data_exports set media_ids = array(
      select id from media
      where creator_id = data_exports.user_id and (quarantined_at is null or quarantined_at >= requested_at)
    ) where status = 'ready'`.execute(db)
}
