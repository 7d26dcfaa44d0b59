import { type Kysely, sql } from 'kysely'

/** When the gateway is asked, or asked again, to keep the card of a captured payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payments add column keep_card_due_at timestamptz;
    create index payments_cards_to_keep on payments (keep_card_due_at) where keep_card_due_at is not null;
  `.execute(db)
}
