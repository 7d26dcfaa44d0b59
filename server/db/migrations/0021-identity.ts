import { type Kysely, sql } from 'kysely'

/** Notifications and their mails, changes of e-mail that wait for their link, and who made an attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      kind text not null,
      data jsonb not null,
      -- Of notifications with the same key an account has one.
      once_key text,
      created_at timestamptz not null,
      read_at timestamptz
    );
    create unique index notifications_once on notifications (user_id, once_key) where once_key is not null;
    create index notifications_newest on notifications (user_id, created_at desc, id desc);

    create table notification_preferences (
      user_id uuid not null references users (id) on delete cascade,
      kind text not null,
      channel text not null check (channel in ('email')),
      enabled boolean not null,
      primary key (user_id, kind, channel)
    );

    create table mail_sends (
      delivery_id uuid primary key,
      address_hash text not null,
      kind text not null,
      by_others boolean not null,
      sent_at timestamptz not null
    );
    create index mail_sends_address on mail_sends (address_hash, sent_at);
    create index mail_sends_age on mail_sends (sent_at);

    create table email_changes (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      email text not null check (email = lower(email)),
      requested_at timestamptz not null,
      expires_at timestamptz not null,
      -- Once the link of the mail was opened, or another change took its place.
      ended_at timestamptz
    );
    create index email_changes_user on email_changes (user_id, requested_at);
    create unique index email_changes_one_open on email_changes (user_id) where ended_at is null;
    create index email_changes_expiry on email_changes (expires_at);

    -- Attempts are counted by who makes them: an unknown device, a known one, or a session.
    alter table authentication_attempts add column source text not null default 'unknown';

    alter table data_exports add column kept_bytes bigint not null default 0;
    update data_exports set kept_bytes = coalesce(bytes, 0);

    -- 90 days at most, however often it is used.
    update sessions set expires_at = least(expires_at, created_at + interval '90 days');
  `.execute(db)
}
