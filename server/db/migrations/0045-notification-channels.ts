import { type Kysely, sql } from 'kysely'

/** The list of notifications, the channels that people chose for each topic, and the browsers that get push messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      -- Whose act it was; what somebody did is not told any more once their account is gone.
      add column actor_id uuid references users (id) on delete cascade,
      -- The email that tells of it, alone or in a digest.
      add column mailed_by uuid;
    update notifications set actor_id = users.id from users
      where kind = 'message.received' and users.id = (data ->> 'senderId')::uuid;
    -- Nobody could read them before: the count begins with what comes now, and no digest repeats what was mailed.
    update notifications set read_at = coalesce(read_at, created_at), mailed_by = id;

    create index notifications_unread on notifications (user_id) where read_at is null;
    create index notifications_actor on notifications (actor_id) where actor_id is not null;
    create index notifications_mailed on notifications (mailed_by) where mailed_by is not null and read_at is null;
    create index notifications_read_age on notifications (created_at) where read_at is not null;
    create index notifications_unread_age on notifications (created_at) where read_at is null;

    drop table notification_preferences;
    create table notification_preferences (
      user_id uuid not null references users (id) on delete cascade,
      topic text not null,
      email text not null check (email in ('now', 'daily', 'weekly', 'off')),
      push boolean not null,
      primary key (user_id, topic)
    );

    create table notification_settings (
      user_id uuid primary key references users (id) on delete cascade,
      -- Of the IANA database; null as long as no browser of theirs said it.
      time_zone text,
      -- Minutes of the day there.
      quiet_from smallint check (quiet_from between 0 and 1439),
      quiet_to smallint check (quiet_to between 0 and 1439),
      show_message_text boolean not null default false,
      -- When what waits for a digest is due; null while nothing waits.
      next_digest_at timestamptz,
      check ((quiet_from is null) = (quiet_to is null))
    );
    create index notification_settings_digest on notification_settings (next_digest_at)
      where next_digest_at is not null;

    create table push_subscriptions (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      -- Logging out ends it.
      session_id uuid not null references sessions (id) on delete cascade,
      -- A hash of the address at the push service, which identifies the browser.
      endpoint_hash text not null unique,
      -- Address and keys, encrypted.
      sealed_subscription bytea not null,
      created_at timestamptz not null
    );
    create index push_subscriptions_user on push_subscriptions (user_id, created_at);
    create index push_subscriptions_session on push_subscriptions (session_id);
  `.execute(db)
}
