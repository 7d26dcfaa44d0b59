import { type Kysely, sql } from 'kysely'

/** What a disconnected account leaves is known to be its own, from when on a comment or a deletion is tried, and what is overdue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Where the forum refused an account that is disconnected now: whose it was, and its id on the forum.
    alter table forum_closed_pairs
      drop constraint forum_closed_pairs_pkey,
      alter column account_id drop not null,
      add column user_id uuid references users (id) on delete cascade,
      add column awaits_forum_id text,
      add constraint forum_closed_pairs_account check
        (account_id is not null or (user_id is not null and awaits_forum_id is not null)),
      add constraint forum_closed_pairs_once unique (account_id, subreddit_id),
      add constraint forum_closed_pairs_awaiting unique (user_id, awaits_forum_id, subreddit_id);
    alter table scheduled_posts
      -- From when on its first comment is tried, where that isn't from its post on.
      add column comment_since timestamptz,
      -- Until when a post isn't asked to be deleted again, as the forum refused it.
      add column take_down_after timestamptz;
    -- What is overdue, whatever its creator posted since.
    create index scheduled_posts_to_come on scheduled_posts (user_id, post_at)
      where state in ('scheduled', 'waiting', 'submitting');
  `.execute(db)
}
