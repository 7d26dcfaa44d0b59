import { type Kysely, sql } from 'kysely'

/** What is posted when and where, in which rhythm, what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await posts(db)
  await queue(db)
  await schedule(db)
}

async function posts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_posts
      add column hidden boolean not null default false,
      -- An uploaded item in place of an external one.
      add column media_id uuid references media (id) on delete set null;
    create index forum_posts_visible on forum_posts (user_id, created_at desc, id desc) where not hidden;
    create index forum_posts_media on forum_posts (media_id) where media_id is not null;
    alter table forum_post_subreddits
      add column posted_at timestamptz,
      drop constraint forum_post_subreddits_state_check,
      -- 'scheduled': on the timeline, so that it is no candidate and stays in its place.
      add constraint forum_post_subreddits_state_check
        check (state in ('usable', 'discarded', 'scheduled', 'posted')),
      add constraint forum_post_subreddits_posted check ((state = 'posted') = (posted_at is not null));
    create index forum_post_subreddits_usable on forum_post_subreddits (post_id, place, subreddit_id)
      where state = 'usable';
  `.execute(db)
}

async function queue(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table forum_accounts
      -- Until when the forum or we keep it from posting, and how many failures in a row made that so.
      add column resting_until timestamptz,
      add column failures integer not null default 0,
      -- Why it posts nothing until its person says so; null while it posts.
      add column stopped_by text check (stopped_by in ('person', 'forum'));
    create table forum_queues (
      user_id uuid primary key references users (id) on delete cascade,
      time_zone text not null default 'UTC',
      -- 0 is Sunday.
      days smallint[] not null default '{0,1,2,3,4,5,6}' check (cardinality(days) > 0),
      hours smallint[] not null default '{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23}'
        check (cardinality(hours) > 0),
      gap_minutes integer not null default 60 check (gap_minutes between 1 and 10080),
      -- The least time between two posts of the same picture, wherever they are.
      same_media_minutes integer not null default 0 check (same_media_minutes between 0 and 43200),
      paused boolean not null default false
    );
    -- Where the forum refused an account for good, until its person tries again.
    create table forum_closed_pairs (
      account_id uuid not null references forum_accounts (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id),
      code text not null,
      message text not null,
      closed_at timestamptz not null,
      primary key (account_id, subreddit_id)
    );
    create index forum_closed_pairs_subreddit on forum_closed_pairs (subreddit_id);
  `.execute(db)
}

async function schedule(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_posts (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      post_id uuid not null references forum_posts (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id),
      -- Null where no account is connected any more.
      account_id uuid references forum_accounts (id) on delete set null,
      -- Posted by the person, who is told when its time has come.
      by_hand boolean not null default false,
      title text not null,
      comment text not null default '',
      -- What the forum is sent.
      url text not null,
      -- The same for the same picture, whichever address it was posted under.
      media_key text not null,
      flair_id text,
      flair_text text,
      post_at timestamptz not null,
      state text not null check (state in ('scheduled', 'waiting', 'submitting', 'posted', 'failed', 'unknown', 'canceled')),
      created_at timestamptz not null,
      -- When it was last sent, and when what is in doubt is looked up.
      sent_at timestamptz,
      check_at timestamptz,
      failure jsonb,
      forum_post_id text,
      permalink text,
      posted_at timestamptz,
      comment_state text not null default 'none' check (comment_state in ('none', 'due', 'sending', 'posted', 'failed')),
      comment_at timestamptz,
      comment_tries smallint not null default 0,
      comment_failure jsonb,
      score integer,
      comments_count integer,
      removed_by text,
      removed_at timestamptz,
      followed smallint not null default 0,
      follow_at timestamptz,
      check ((state = 'submitting') <= (sent_at is not null and check_at is not null)),
      check ((state = 'posted') <= (posted_at is not null)),
      check (comment_state = 'none' or state = 'posted' or comment <> '')
    );
    -- Open once per post and subreddit.
    create unique index scheduled_posts_open on scheduled_posts (post_id, subreddit_id)
      where state in ('scheduled', 'waiting', 'submitting', 'unknown');
    -- One at a time per account, so that the order holds and a doubt can be looked up.
    create unique index scheduled_posts_sending on scheduled_posts (account_id) where state = 'submitting';
    create unique index scheduled_posts_forum_post on scheduled_posts (forum_post_id) where forum_post_id is not null;
    create index scheduled_posts_due on scheduled_posts (account_id, post_at, id)
      where state = 'scheduled' and not by_hand;
    create index scheduled_posts_by_hand on scheduled_posts (post_at) where state = 'scheduled' and by_hand;
    create index scheduled_posts_in_doubt on scheduled_posts (check_at) where state = 'submitting';
    create index scheduled_posts_comments on scheduled_posts (comment_at) where comment_state in ('due', 'sending');
    create index scheduled_posts_followed on scheduled_posts (follow_at) where follow_at is not null;
    create index scheduled_posts_timeline on scheduled_posts (user_id, post_at, id) where state <> 'canceled';
    create index scheduled_posts_there on scheduled_posts (user_id, subreddit_id, post_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
    create index scheduled_posts_media on scheduled_posts (user_id, media_key, post_at)
      where state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown');
    create index scheduled_posts_subreddit on scheduled_posts (subreddit_id);
  `.execute(db)
}
