import { type Kysely, sql } from 'kysely'

/** Accounts, sessions, profiles and who follows whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key default uuidv7(),
      email text not null unique check (email = lower(email)),
      username text not null,
      first_name text not null,
      last_name text not null default '',
      reddit_username text not null,
      password_hash text not null,
      is_creator boolean not null,
      role text check (role in ('superadmin')),
      email_verified_at timestamptz,
      referral_code text not null unique,
      referred_by uuid references users (id),
      shared_referral_code text,
      age_confirmed_at timestamptz,
      age_approved_at timestamptz,
      hidden_at timestamptz,
      created_at timestamptz not null,
      check (referred_by is distinct from id)
    );
    create unique index users_username on users (lower(username));
    create index users_referred_by on users (referred_by);

    create table sessions (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      token_hash bytea not null unique,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      user_agent text not null default ''
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    create table email_confirmations (
      token_hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index email_confirmations_user on email_confirmations (user_id);

    create table restricted_regions (
      country text not null,
      name text not null,
      code text not null,
      primary key (country, code)
    );

    create table profiles (
      user_id uuid primary key references users (id) on delete cascade,
      bio text not null default '',
      menu text not null default '',
      limits text not null default '',
      links jsonb not null default '[]',
      profile_image text,
      profile_hero_image text
    );

    create table follows (
      follower_id uuid not null references users (id) on delete cascade,
      following_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      primary key (follower_id, following_id),
      check (follower_id <> following_id)
    );
    create index follows_newest on follows (follower_id, created_at desc, following_id desc);
    create index follows_following on follows (following_id);
  `.execute(db)
}
