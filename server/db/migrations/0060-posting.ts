import { type Kysely, sql } from 'kysely'

/** What a disconnected account leaves waits for it, posts on the forum belong to one person, kinds of posts are known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The forum's id of the disconnected account that it waits for.
    alter table scheduled_posts add column awaits_forum_id text;
    create index scheduled_posts_awaiting on scheduled_posts (user_id, awaits_forum_id) where awaits_forum_id is not null;
    alter table forum_slots add column awaits_forum_id text;
    -- Until now what a disconnected account left was never posted, and nobody was told.
    update scheduled_posts set state = 'failed', failure = jsonb_build_object('code', 'disconnected',
      'message', 'Its account was disconnected. Connect an account, then choose it here.', 'remedy', 'edit')
      where state = 'scheduled' and not by_hand and account_id is null;
    drop index scheduled_posts_forum_post;
    create unique index scheduled_posts_forum_post on scheduled_posts (user_id, forum_post_id)
      where forum_post_id is not null;
    -- What waits for its person is looked for on the forum too.
    update scheduled_posts set check_at = post_at where state = 'waiting';
    create index scheduled_posts_looked_for on scheduled_posts (check_at) where state = 'waiting' and check_at is not null;
    alter table subreddit_readings add column submission_type text check (submission_type in ('any', 'link', 'self'));
  `.execute(db)
}
