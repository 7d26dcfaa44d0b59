import { type Kysely, sql } from 'kysely'

/** Conversations of two, their messages with attachments and reactions, and who may write to whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conversations (
      -- Follows from the two people, so that it can be named before anything was written.
      id uuid primary key,
      -- The lesser and the greater of their ids.
      low_id uuid not null references users (id) on delete cascade,
      high_id uuid not null references users (id) on delete cascade,
      -- Grows by one with every message and every change of one; a message's position is the revision that it came with.
      revision integer not null default 0,
      last_message_id uuid,
      created_at timestamptz not null,
      -- No unique key of the two beside the id, which says the same: two first messages at once would break it, where
      -- they wait for each other by the id.
      check (low_id < high_id)
    );
    create index conversations_low on conversations (low_id);
    create index conversations_high on conversations (high_id);

    create table conversation_members (
      conversation_id uuid not null references conversations (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      other_id uuid not null references users (id) on delete cascade,
      -- Of the newest message, which is what the list goes by.
      last_at timestamptz not null,
      -- Up to which position this person has read, and how many of the other's messages lie beyond.
      read_position integer not null default 0,
      unread integer not null default 0 check (unread >= 0),
      -- Whether this person wrote anything here: who was written to may answer.
      wrote boolean not null default false,
      muted_at timestamptz,
      primary key (conversation_id, user_id),
      check (user_id <> other_id)
    );
    create index conversation_members_newest on conversation_members (user_id, last_at desc, conversation_id desc);
    create index conversation_members_unread on conversation_members (user_id, last_at desc) where unread > 0;
    create index conversation_members_other on conversation_members (other_id);

    create table messages (
      id uuid primary key default uuidv7(),
      conversation_id uuid not null references conversations (id) on delete cascade,
      position integer not null check (position > 0),
      revision integer not null check (revision >= position),
      sender_id uuid not null references users (id) on delete cascade,
      -- What the sender's client called it: sent twice, it is one message.
      client_message_id uuid,
      content text not null,
      created_at timestamptz not null,
      edited_at timestamptz,
      deleted_at timestamptz,
      reply_to uuid references messages (id) on delete set null,
      -- What the attachments cost together; without it they come with the message.
      price_cents integer check (price_cents > 0),
      unique (conversation_id, position),
      unique (sender_id, client_message_id)
    );
    create index messages_revision on messages (conversation_id, revision);
    create index messages_reply on messages (reply_to) where reply_to is not null;

    alter table conversations add constraint conversations_last_message
      foreign key (last_message_id) references messages (id) on delete set null;
    create index conversations_last_message on conversations (last_message_id);

    create table message_attachments (
      message_id uuid not null references messages (id) on delete cascade,
      -- In which order they were attached.
      place smallint not null,
      media_id uuid not null references media (id) on delete cascade,
      -- What was sent stays what it was, whatever its owner replaces.
      version_id uuid not null,
      primary key (message_id, place),
      unique (message_id, media_id),
      foreign key (media_id, version_id) references media_versions (media_id, id) on delete cascade
    );
    create index message_attachments_media on message_attachments (media_id, version_id);
    create index message_attachments_version on message_attachments (version_id);

    create table message_reactions (
      message_id uuid not null references messages (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      emoji text not null,
      primary key (message_id, user_id)
    );
    create index message_reactions_user on message_reactions (user_id);

    create table message_reports (
      id uuid primary key default uuidv7(),
      message_id uuid references messages (id) on delete set null,
      reporter_id uuid references users (id) on delete set null,
      -- Who wrote it, and what it said then: an edit or deletion takes nothing from the report.
      sender_id uuid references users (id) on delete set null,
      content text not null,
      reason text not null,
      created_at timestamptz not null,
      -- By which operator, with what decision.
      closed_at timestamptz,
      closed_by uuid references users (id) on delete set null,
      decision text,
      check ((closed_at is null) = (decision is null)),
      unique (message_id, reporter_id)
    );
    create index message_reports_reporter on message_reports (reporter_id);
    create index message_reports_sender on message_reports (sender_id);
    create index message_reports_open on message_reports (created_at desc, id desc) where closed_at is null;
    create index message_reports_closed on message_reports (created_at desc, id desc) where closed_at is not null;
    create index message_reports_closer on message_reports (closed_by) where closed_by is not null;

    create table chat_settings (
      user_id uuid primary key references users (id) on delete cascade,
      audience text not null check (audience in ('everyone', 'followers', 'subscribers', 'chat')),
      welcome_message text not null
    );

    -- Who is connected to which web process, named by its listening connection to the database. After a crash there is
    -- no such connection, and the row says nothing.
    create unlogged table online_people (
      user_id uuid not null references users (id) on delete cascade,
      listener integer not null,
      primary key (user_id, listener)
    );
    create index online_people_listener on online_people (listener);

    -- What is bought, given back or disputed changes the message for both of its people.
    create function touch_sold_message() returns trigger language plpgsql as $$
    declare
      sold uuid;
      talk record;
    begin
      select messages.id into sold from orders join messages on messages.id = orders.item_id
        where orders.id = new.source_id and orders.kind = 'message';
      if sold is null then return null; end if;
      update conversations set revision = revision + 1
        where id = (select conversation_id from messages where id = sold)
        returning id, revision, low_id, high_id into talk;
      update messages set revision = talk.revision where id = sold;
      perform pg_notify('fanfare_realtime', json_build_object('name', 'message.changed', 'conversationId', talk.id,
        'messageId', sold, 'people', json_build_array(talk.low_id, talk.high_id))::text);
      return null;
    end $$;
    create trigger entitlements_message_sold after insert on entitlements
      for each row when (new.source_kind = 'purchase') execute function touch_sold_message();
    create trigger entitlements_message_changed after update of revoked_at on entitlements
      for each row when (new.source_kind = 'purchase') execute function touch_sold_message();

    alter table entitlements drop constraint entitlements_source_kind_check,
      add constraint entitlements_source_kind_check
        check (source_kind in ('purchase', 'subscription', 'manual', 'offer', 'message'));
  `.execute(db)
}
