import { type Kysely, sql } from 'kysely'

/** When a post is up, or is to be: what limits count, however late it was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table scheduled_posts
      -- Of what is in doubt, when it was sent.
      add column up_at timestamptz not null generated always as (
        case when state in ('submitting', 'unknown') then coalesce(sent_at, post_at) else coalesce(posted_at, post_at) end
      ) stored;
    drop index scheduled_posts_there;
    drop index scheduled_posts_media;
    create index scheduled_posts_there on scheduled_posts (user_id, subreddit_id, up_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
    create index scheduled_posts_media on scheduled_posts (user_id, media_key, up_at, id)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
    create index scheduled_posts_up on scheduled_posts (user_id, up_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
  `.execute(db)
}
