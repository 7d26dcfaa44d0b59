import { type Kysely, sql } from 'kysely'

/** The offer that a post's link leads to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_posts add column offer_id uuid references offers (id) on delete set null;
    create index forum_posts_offer on forum_posts (offer_id) where offer_id is not null;
  `.execute(db)
}
