import { type Kysely, sql } from 'kysely'

/** Few grants are revoked: an index of those alone, read once for everything that somebody owns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index entitlements_revoked on entitlements (user_id, id) where revoked_at is not null;
  `.execute(db)
}
