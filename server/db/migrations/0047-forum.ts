import { type Kysely, sql } from 'kysely'

/** Forum accounts, what is known of subreddits, verification in them, lists of them, and posts for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db)
  await subreddits(db)
  await verification(db)
  await lists(db)
  await posts(db)
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table forum_accounts (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      -- The forum’s own id of the account.
      forum_id text not null,
      name text not null,
      sealed_tokens bytea,
      expires_at timestamptz,
      -- Grows with each renewal, so that of several at once one is kept.
      renewal integer not null default 0,
      -- Until when some process is renewing the tokens.
      renewing_until timestamptz,
      connected_at timestamptz not null,
      revoked_at timestamptz,
      check (sealed_tokens is null or revoked_at is null),
      check ((sealed_tokens is null) = (expires_at is null))
    );
    create unique index forum_accounts_once on forum_accounts (user_id, forum_id);
    -- Authorizations that were used: each connects an account once.
    create table forum_authorizations (
      nonce text primary key,
      expires_at timestamptz not null
    );
    create index forum_authorizations_ending on forum_authorizations (expires_at);
    -- Grants that are no longer needed and that the forum still has to revoke.
    create table forum_revocations (
      id uuid primary key default uuidv7(),
      sealed_token bytea not null,
      created_at timestamptz not null,
      next_try_at timestamptz not null,
      tries integer not null default 0
    );
    create index forum_revocations_due on forum_revocations (next_try_at);
    -- The calls that the forum still allows us, shared by all processes.
    create table forum_budget (
      client text primary key,
      remaining integer not null,
      window_ends timestamptz not null
    );
  `.execute(db)
}

async function subreddits(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subreddits (
      id uuid primary key default uuidv7(),
      name text not null,
      subscribers integer,
      description text not null default '',
      verification_type text not null default 'unset'
        check (verification_type in ('required', 'other', 'unset', 'unknown')),
      notes text not null default '',
      categorized boolean not null default false,
      selling_accounts_allowed boolean not null default false,
      oc_settings text not null default 'none' check (oc_settings in ('none', 'ocOnly', 'noOc')),
      boy_and_girl_required boolean not null default false,
      couples_only boolean not null default false,
      males_allowed text not null default 'unknown' check (males_allowed in ('true', 'false', 'unknown')),
      women_only text not null default 'unknown' check (women_only in ('true', 'false', 'unknown')),
      toys_allowed boolean not null default false,
      sex_acts_allowed boolean not null default false,
      watermark_type text not null default 'unknown'
        check (watermark_type in ('unknown', 'not allowed', 'reddit username')),
      face_required boolean not null default false,
      post_max integer,
      post_interval integer,
      post_unit text check (post_unit in ('hours', 'days')),
      repost_max integer,
      repost_interval integer,
      repost_unit text check (repost_unit in ('hours', 'days')),
      tag_ids uuid[] not null default '{}',
      -- When it was tracked.
      created_at timestamptz not null,
      check (num_nulls(post_max, post_interval, post_unit) in (0, 3)),
      check (num_nulls(repost_max, repost_interval, repost_unit) in (0, 3))
    );
    create unique index subreddits_name on subreddits (lower(name));
    create index subreddits_letters on subreddits using gin (lower(name) gin_trgm_ops);
    create index subreddits_largest on subreddits ((coalesce(subscribers, -1)) desc, id desc);
    create index subreddits_tags on subreddits using gin (tag_ids);
    create index subreddits_uncategorized on subreddits ((coalesce(subscribers, -1)) desc, id desc)
      where not categorized;
    -- What the forum says of each, apart since only its details show it.
    create table subreddit_readings (
      subreddit_id uuid primary key references subreddits (id) on delete cascade,
      state text not null default 'unread'
        check (state in ('unread', 'read', 'private', 'gone', 'banned', 'quarantined')),
      rules jsonb not null default '[]',
      flair jsonb,
      requirements jsonb,
      read_at timestamptz,
      -- When flair and requirements were read, which takes an account of somebody.
      account_read_at timestamptz,
      changed_at timestamptz,
      changed_parts text[] not null default '{}',
      next_read_at timestamptz not null
    );
    create index subreddit_readings_due on subreddit_readings (next_read_at);
    create table subreddit_tags (
      id uuid primary key default uuidv7(),
      name text not null
    );
    create unique index subreddit_tags_name on subreddit_tags (lower(name));
    insert into subreddit_tags (name) select unnest(array[
      'Photos', 'Videos', 'Gifs', 'Portraits', 'Selfies', 'Fashion', 'Cosplay', 'Fitness', 'Dance', 'Art', 'Outdoors',
      'Couples', 'Tattoos', 'Alternative', 'Over 30', 'Over 40', 'Original content', 'New creators', 'Large', 'Niche'
    ]);
  `.execute(db)
}

async function verification(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table verifications (
      user_id uuid not null references users (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id),
      -- The subreddit’s name in lower case, by which a person’s records are listed.
      sort_name text not null,
      status text not null check (status in ('todo', 'pending', 'done')),
      confirmed text not null check (confirmed in ('true', 'pending', 'false', 'hidden')),
      notes text not null default '',
      checked text[] not null default '{}',
      remind_on date,
      changed_at timestamptz not null,
      primary key (user_id, subreddit_id)
    );
    create index verifications_named on verifications (user_id, sort_name);
    create index verifications_board on verifications (user_id, status, sort_name);
    create index verifications_subreddit on verifications (subreddit_id);
    create index verifications_reminders on verifications (remind_on) where remind_on is not null;
  `.execute(db)
}

async function lists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subreddit_lists (
      id uuid primary key default uuidv7(),
      -- Null of an operator’s list for everybody.
      user_id uuid references users (id) on delete cascade,
      title text not null,
      remove_from_search boolean not null default false,
      created_at timestamptz not null
    );
    create unique index subreddit_lists_title on subreddit_lists (user_id, lower(title)) nulls not distinct;
    create table subreddit_list_members (
      list_id uuid not null references subreddit_lists (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id),
      primary key (list_id, subreddit_id)
    );
    create index subreddit_list_members_subreddit on subreddit_list_members (subreddit_id);
  `.execute(db)
}

async function posts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table forum_posts (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      titles text[] not null check (cardinality(titles) > 0),
      link text not null,
      comment text not null,
      created_at timestamptz not null
    );
    create index forum_posts_newest on forum_posts (user_id, created_at desc, id desc);
    create table forum_post_subreddits (
      post_id uuid not null references forum_posts (id) on delete cascade,
      subreddit_id uuid not null references subreddits (id),
      state text not null check (state in ('usable', 'discarded')),
      -- The order in which they were chosen.
      place integer not null,
      primary key (post_id, subreddit_id)
    );
    create index forum_post_subreddits_subreddit on forum_post_subreddits (subreddit_id);
  `.execute(db)
}
