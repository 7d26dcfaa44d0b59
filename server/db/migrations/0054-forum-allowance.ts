import { type Kysely, sql } from 'kysely'

/** How many calls a window has: what the forum's answers said last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table forum_budget add column calls integer not null default 990`.execute(db)
  // People's shares start over with as many calls as they have left; they last minutes.
  await sql`delete from forum_budget where client like 'share of %'`.execute(db)
}
