import { type Kysely, sql } from 'kysely'

/** What was taken back is little, and looked up at once for all that somebody owns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index entitlements_revoked on entitlements (user_id, id) where revoked_at is not null;
  `.execute(db)
}
