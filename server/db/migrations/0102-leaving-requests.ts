import { type Kysely, sql } from 'kysely'

/** Custom requests that are given back because one of their two people leaves, as others are because they are late. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table custom_requests add leaving boolean not null default false check (not leaving or overdue_at is not null)
  `.execute(db)
}
