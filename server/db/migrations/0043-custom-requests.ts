import { type Kysely, sql } from 'kysely'

/** What fans ask creators to make for them, as cards of their conversation; and tips that stand in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table custom_requests (
      id uuid primary key default uuidv7(),
      fan_id uuid not null references users (id) on delete cascade,
      creator_id uuid not null references users (id) on delete cascade,
      message text not null,
      max_minutes integer not null check (max_minutes > 0),
      minute_price_cents integer not null check (minute_price_cents > 0),
      -- Whether it is paid or was given back is what its order says.
      status text not null default 'requested' check (status in ('requested', 'accepted', 'declined')),
      price_cents integer check (price_cents > 0),
      -- How long after the payment it is to be delivered.
      delivery_days integer check (delivery_days > 0),
      reason text,
      created_at timestamptz not null,
      -- When the creator last accepted or declined it.
      answered_at timestamptz,
      delivered_at timestamptz,
      -- When it was found to be late, from where on it can only be given back.
      overdue_at timestamptz,
      check (fan_id <> creator_id),
      check ((status = 'accepted') = (price_cents is not null and delivery_days is not null)),
      check ((status = 'requested') = (answered_at is null)),
      check (status = 'accepted' or (delivered_at is null and overdue_at is null)),
      check (delivered_at is null or overdue_at is null)
    );
    create index custom_requests_fan on custom_requests (fan_id, created_at desc, id desc);
    create index custom_requests_creator on custom_requests (creator_id, created_at desc, id desc);
    create index custom_requests_undelivered on custom_requests (id) where status = 'accepted' and delivered_at is null;
    create index orders_custom on orders (item_id) where kind = 'custom';

    alter table messages
      add column custom_request_id uuid references custom_requests (id) on delete set null,
      add column tip_order_id uuid unique references orders (id),
      -- The fan asks once, and the creator delivers once.
      add constraint messages_custom_request unique (custom_request_id, sender_id);

    -- What a custom request will hold is made after it was paid.
    drop trigger orders_hold_items on orders;
    create constraint trigger orders_hold_items after insert on orders deferrable initially deferred
      for each row when (new.bought_once and new.kind <> 'custom') execute function require_order_items();

    -- What is bought, given back or disputed changes the messages that show it for both of their people.
    create or replace function touch_sold_message() returns trigger language plpgsql as $$
    declare
      sold uuid;
      talk record;
    begin
      for sold in
        select messages.id from orders join messages on messages.id = orders.item_id
          where orders.id = new.source_id and orders.kind = 'message'
        union all select messages.id from orders join messages on messages.custom_request_id = orders.item_id
          where orders.id = new.source_id and orders.kind = 'custom'
        -- A tip's message is new when it is paid.
        union all select messages.id from messages where tip_order_id = new.source_id and tg_op = 'UPDATE'
      loop
        update conversations set revision = revision + 1
          where id = (select conversation_id from messages where id = sold)
          returning id, revision, low_id, high_id into talk;
        update messages set revision = talk.revision where id = sold;
        perform pg_notify('fanfare_realtime', json_build_object('name', 'message.changed', 'conversationId', talk.id,
          'messageId', sold, 'people', json_build_array(talk.low_id, talk.high_id))::text);
      end loop;
      return null;
    end $$;

    -- As conversationIdOf has it.
    create function conversation_id_of(low uuid, high uuid) returns uuid language plpgsql immutable as $$
    declare
      digest bytea := substring(sha256(convert_to(low || ' ' || high, 'UTF8')) from 1 for 16);
    begin
      digest := set_byte(digest, 6, (get_byte(digest, 6) & 15) | 128);
      digest := set_byte(digest, 8, (get_byte(digest, 8) & 63) | 128);
      return encode(digest, 'hex')::uuid;
    end $$;

    -- A tip that is paid stands in the conversation of its two people, once, and begins one where there is none.
    create function show_tip() returns trigger language plpgsql as $$
    declare
      talk record;
      tip_id uuid := uuidv7();
    begin
      if exists (select from messages where tip_order_id = new.id) then return null; end if;
      insert into conversations (id, low_id, high_id, revision, created_at)
        select conversation_id_of(low, high), low, high, 1, new.paid_at
        from (values (least(new.buyer_id, new.creator_id), greatest(new.buyer_id, new.creator_id))) as people (low, high)
        on conflict (id) do update set revision = conversations.revision + 1
        returning id, revision into talk;
      insert into messages (id, conversation_id, position, revision, sender_id, content, created_at, tip_order_id)
        values (tip_id, talk.id, talk.revision, talk.revision, new.buyer_id, '', new.paid_at, new.id);
      update conversations set last_message_id = tip_id where id = talk.id;
      -- It is no writing of the fan's: it doesn't let the creator be written to, nor write.
      insert into conversation_members (conversation_id, user_id, other_id, last_at, unread)
        values (talk.id, new.buyer_id, new.creator_id, new.paid_at, 0),
          (talk.id, new.creator_id, new.buyer_id, new.paid_at, 1)
        on conflict (conversation_id, user_id) do update
          set last_at = excluded.last_at, unread = conversation_members.unread + excluded.unread;
      perform pg_notify('fanfare_realtime', json_build_object('name', 'message.sent', 'conversationId', talk.id,
        'messageId', tip_id, 'people', json_build_array(new.buyer_id, new.creator_id))::text);
      return null;
    end $$;
    create trigger orders_show_tip after update of status on orders
      for each row when (new.kind = 'tip' and new.status = 'paid' and old.status = 'open') execute function show_tip();
  `.execute(db)
}
