import { type Kysely, sql } from 'kysely'

/**
 * A bundle may cost less for who has some of it (docs/decisions/056-bundle-reductions.md); those that exist cost what they
 * did. An order keeps the price of the whole, and how many items its buyer had.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bundles add column less_owned boolean not null default false;
    alter table orders
      add column full_cents integer check (full_cents > amount_cents),
      add column owned_items integer check (owned_items > 0),
      add check ((full_cents is null) = (owned_items is null));
  `.execute(db)
}
