import { type Kysely, sql } from 'kysely'

/** In which order posts are offered for the schedule, and which of a post's titles is next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_queues
      add column candidate_order text not null default 'roundRobin' check (candidate_order in ('roundRobin', 'shuffled', 'earnings')),
      -- Cents that a post earns in a subreddit where none went up yet, and when all of this was worked out.
      add column expected_cents integer not null default 0,
      add column expected_at timestamptz;
    create index forum_queues_expected on forum_queues (expected_at) where candidate_order = 'earnings';
    create table forum_expected_earnings (
      user_id uuid not null references users (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id) on delete cascade,
      -- Cents that the next post is expected to earn there, and on how many posts that rests.
      cents integer not null,
      posts integer not null,
      primary key (user_id, subreddit_id)
    );
    create index forum_expected_earnings_subreddit on forum_expected_earnings (subreddit_id);
    -- Whether each of a post's titles is used as often as the others.
    alter table forum_posts add column test_titles boolean not null default false;
    create index scheduled_posts_post on scheduled_posts (post_id, post_at, id) where state <> 'canceled';
  `.execute(db)
}
