import { type Kysely, sql } from 'kysely'

/** Recurring slots of a week, and what happens to posts that did well or badly. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table forum_slots (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      -- Days of the week, 0 is Sunday, and minutes since midnight, both in the time zone of the queue.
      days smallint[] not null check (cardinality(days) between 1 and 7 and days <@ '{0,1,2,3,4,5,6}'),
      minute smallint not null check (minute between 0 and 1439),
      -- The only subreddit that it is for; any without it.
      subreddit_id uuid references subreddits (id) on delete cascade,
      account_id uuid references forum_accounts (id) on delete set null,
      by_hand boolean not null default false,
      -- Why it has a time without a post; null where it has none.
      problem text,
      created_at timestamptz not null
    );
    create index forum_slots_user on forum_slots (user_id, minute, id);
    create index forum_slots_subreddit on forum_slots (subreddit_id) where subreddit_id is not null;
    create index forum_slots_account on forum_slots (account_id) where account_id is not null;
    -- A slot is filled once a day, whatever becomes of the post.
    alter table scheduled_posts
      add column slot_id uuid references forum_slots (id) on delete set null,
      add column slot_on date,
      -- When the forum was told to delete it, since its score was too low.
      add column taken_down_at timestamptz;
    create unique index scheduled_posts_slot on scheduled_posts (slot_id, slot_on) where slot_id is not null;
    alter table forum_queues
      add column recycle_days integer check (recycle_days between 7 and 365),
      add column recycle_min_score integer not null default 0,
      add column remove_below integer,
      add column remove_after_hours integer not null default 24 check (remove_after_hours between 1 and 72);
    create index forum_queues_recycling on forum_queues (user_id) where recycle_days is not null;
    create index forum_queues_removing on forum_queues (user_id) where remove_below is not null;
  `.execute(db)
}
