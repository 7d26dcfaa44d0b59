import { type Kysely, sql } from 'kysely'

/** Private messages that forum accounts received, as the forum last showed them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Whether creators see who somebody is when they write to them on the forum.
    alter table users add column recognizable boolean not null default false;
    create index users_recognizable on users (lower(reddit_username)) where recognizable;
    create table forum_inboxes (
      account_id uuid primary key references forum_accounts (id) on delete cascade,
      synced_at timestamptz,
      next_sync_at timestamptz not null,
      -- When its owner last opened it; an inbox that nobody opens isn't read.
      opened_at timestamptz not null,
      failure text check (failure in ('unavailable', 'reconnect'))
    );
    create index forum_inboxes_due on forum_inboxes (next_sync_at);
    create table forum_threads (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      account_id uuid not null references forum_accounts (id) on delete cascade,
      -- The fullname of the first message, or the author where the forum doesn't say which that is.
      key text not null,
      author text not null,
      subject text not null,
      last_received_at timestamptz not null,
      skipped_until timestamptz,
      deleted_at timestamptz,
      out_of_sync boolean not null default false,
      unique (account_id, key)
    );
    create index forum_threads_latest on forum_threads (user_id, last_received_at desc, id desc)
      where deleted_at is null;
    create index forum_threads_author on forum_threads (user_id, lower(author));
    create table forum_messages (
      id uuid primary key default uuidv7(),
      thread_id uuid not null references forum_threads (id) on delete cascade,
      account_id uuid not null references forum_accounts (id) on delete cascade,
      -- The forum's fullname: t4_2zzz1.
      name text not null,
      author text not null,
      is_own boolean not null,
      body text not null,
      sent_at timestamptz not null,
      unique (account_id, name)
    );
    create index forum_messages_thread on forum_messages (thread_id, sent_at, id);
    -- What was written here, from before it is sent until the forum's listing shows it.
    create table forum_replies (
      id uuid primary key default uuidv7(),
      thread_id uuid not null references forum_threads (id) on delete cascade,
      body text not null,
      state text not null check (state in ('sending', 'sent', 'unknown', 'failed')),
      failure text,
      created_at timestamptz not null,
      check_at timestamptz
    );
    create unique index forum_replies_sending on forum_replies (thread_id) where state = 'sending';
    create index forum_replies_thread on forum_replies (thread_id, created_at);
    create index forum_replies_in_doubt on forum_replies (check_at) where state = 'sending';
    create table forum_contacts (
      user_id uuid not null references users (id) on delete cascade,
      -- The other person's forum name, in lower case.
      name text not null,
      ignored boolean not null default false,
      last_contact_at timestamptz,
      moderates text[] not null default '{}',
      moderates_read_at timestamptz,
      primary key (user_id, name)
    );
    create table saved_replies (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      title text not null,
      body text not null,
      created_at timestamptz not null
    );
    create index saved_replies_user on saved_replies (user_id, title, id);
  `.execute(db)
}
