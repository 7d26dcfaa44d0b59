import { type Kysely, sql } from 'kysely'

/** What somebody who adds a card was shown that it is charged for, so that nothing else is charged once it is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table card_additions add column past_due uuid[]`.execute(db)
}
