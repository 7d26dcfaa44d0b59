import { type Kysely, sql } from 'kysely'

/** When the gateway was asked last about a card, so that one it never answers for is behind the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table card_additions add column lookup_tried_at timestamptz;
    create index card_additions_looked_up on card_additions (lookup_tried_at nulls first, created_at)
      where status in ('submitting', 'unknown');
    alter table stored_cards add column lookup_tried_at timestamptz;
    drop index stored_cards_to_describe;
    create index stored_cards_to_describe on stored_cards (lookup_tried_at nulls first, created_at) where described_at is null;
  `.execute(db)
}
