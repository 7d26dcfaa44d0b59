import { type Kysely, sql } from 'kysely'

/** Blocks, places that a creator keeps out, deletion of accounts, own-data exports, and indexes for finding people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table blocks (
      blocker_id uuid not null references users (id) on delete cascade,
      blocked_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index blocks_newest on blocks (blocker_id, created_at desc, blocked_id desc);
    create index blocks_blocked on blocks (blocked_id);

    -- An empty region is the whole country.
    create table geo_blocks (
      creator_id uuid not null references users (id) on delete cascade,
      country text not null check (country ~ '^[A-Z]{2}$'),
      region text not null default '',
      primary key (creator_id, country, region)
    );

    create table account_deletions (
      user_id uuid primary key references users (id) on delete cascade,
      requested_at timestamptz not null,
      due_at timestamptz not null,
      -- Once it has started it cannot be canceled.
      started_at timestamptz,
      erased_at timestamptz,
      check ((erased_at is not null) <= (started_at is not null))
    );
    create index account_deletions_due on account_deletions (due_at) where erased_at is null;

    create table data_exports (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      status text not null check (status in ('waiting', 'ready', 'failed')),
      bytes bigint,
      requested_at timestamptz not null,
      ready_at timestamptz,
      expires_at timestamptz not null
    );
    create unique index data_exports_one_waiting on data_exports (user_id) where status = 'waiting';
    create index data_exports_user on data_exports (user_id, requested_at desc);
    create index data_exports_expiry on data_exports (expires_at);

    -- People in the order of their names, and by any three letters of them.
    create extension if not exists pg_trgm;
    create index users_directory on users ((lower(username) collate "C")) where hidden_at is null;
    create index users_search on users using gin (lower(username) gin_trgm_ops) where hidden_at is null;
  `.execute(db)
}
