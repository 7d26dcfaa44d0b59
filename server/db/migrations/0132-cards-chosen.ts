import { type Kysely, sql } from 'kysely'

/** When the fan of a subscription last chose the card that it is charged to, or paid it by another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column card_chosen_at timestamptz`.execute(db)
}
