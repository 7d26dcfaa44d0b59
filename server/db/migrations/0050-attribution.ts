import { type Kysely, sql } from 'kysely'

/** Which post brought which visitors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- In the address that is posted; items from before have none.
    alter table scheduled_posts add column code text;
    create unique index scheduled_posts_code on scheduled_posts (code) where code is not null;
    create table forum_visits (
      id uuid primary key default uuidv7(),
      item_id uuid not null references scheduled_posts (id) on delete cascade,
      -- Null until the visitor logs in, and for good where they never do.
      user_id uuid references users (id) on delete set null,
      visited_at timestamptz not null,
      -- Whether the account was made after the visit.
      signed_up boolean not null default false
    );
    create index forum_visits_item on forum_visits (item_id, visited_at);
    create index forum_visits_user on forum_visits (user_id, visited_at desc) where user_id is not null;
  `.execute(db)
}
