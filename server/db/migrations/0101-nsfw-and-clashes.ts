import { type Kysely, sql } from 'kysely'

/**
 * Whether a post is marked NSFW on the forum, which each of its places may say otherwise; and what finds the posts nearest
 * to one in time, of its picture in its subreddit and of its account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_posts add nsfw boolean not null default true;
    alter table scheduled_posts add nsfw boolean not null default true;
    drop trigger scheduled_posts_live on scheduled_posts;
    -- Not when only leases and times of the next look change.
    create trigger scheduled_posts_live after update on scheduled_posts for each row
      when ((old.state, old.post_at, old.title, old.comment, old.nsfw, old.flair_id, old.flair_text, old.account_id,
          old.by_hand, old.failure, old.permalink, old.posted_at, old.comment_state, old.comment_failure, old.score,
          old.comments_count, old.removed_by, old.taken_down_at)
        is distinct from
        (new.state, new.post_at, new.title, new.comment, new.nsfw, new.flair_id, new.flair_text, new.account_id,
          new.by_hand, new.failure, new.permalink, new.posted_at, new.comment_state, new.comment_failure, new.score,
          new.comments_count, new.removed_by, new.taken_down_at))
      execute function tell_timeline();
    create index scheduled_posts_same_picture on scheduled_posts
      (user_id, media_key, subreddit_id, up_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
    create index scheduled_posts_of_account on scheduled_posts (account_id, up_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')
  `.execute(db)
}
