import { type Kysely, sql } from 'kysely'

/**
 * Shares of a custom request are held while its refund is sent another way, which both of its people see in their chat; since
 * when the gateway says that it has less left of a charge than is to be given back; and which refunds that were made there
 * were voided.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_releases
      add column order_id uuid references orders (id),
      drop constraint ledger_releases_account_id_released_at_key,
      add constraint ledger_releases_key unique nulls not distinct (account_id, released_at, order_id);
    create index ledger_releases_order on ledger_releases (order_id) where order_id is not null;

    alter table refunds add column exceeded_at timestamptz;
    update refunds set exceeded_at = coalesce(decided_at, submitted_at, created_at) where failure = 'exceeded';

    alter table findings add column unmade_at timestamptz;

    create function touch_message(shown uuid) returns void language plpgsql as $$
    declare
      talk record;
    begin
      update conversations set revision = revision + 1
        where id = (select conversation_id from messages where id = shown)
        returning id, revision, low_id, high_id into talk;
      update messages set revision = talk.revision where id = shown;
      perform pg_notify('fanfare_realtime', json_build_object('name', 'message.changed', 'conversationId', talk.id,
        'messageId', shown, 'people', json_build_array(talk.low_id, talk.high_id))::text);
    end $$;
    create or replace function touch_sold_message() returns trigger language plpgsql as $$
    begin
      perform touch_message(shown.id) from (
        select messages.id from orders join messages on messages.id = orders.item_id
          where orders.id = new.source_id and orders.kind = 'message'
        union all select messages.id from orders join messages on messages.custom_request_id = orders.item_id
          where orders.id = new.source_id and orders.kind = 'custom'
        -- A tip's message is new when it is paid.
        union all select messages.id from messages where tip_order_id = new.source_id and tg_op = 'UPDATE'
      ) as shown;
      return null;
    end $$;
    create function touch_sent_request() returns trigger language plpgsql as $$
    begin
      perform touch_message(messages.id) from orders join messages on messages.custom_request_id = orders.item_id
        where orders.id = new.order_id and orders.kind = 'custom' and orders.paid_by = new.payment_id;
      return null;
    end $$;
    -- At the end, as whoever posts for an order locks its people before their conversation.
    create constraint trigger refunds_sent_request after update of status, outside_since on refunds
      deferrable initially deferred for each row
      when ((old.status = 'refused' and old.outside_since is not null)
        <> (new.status = 'refused' and new.outside_since is not null))
      execute function touch_sent_request();
  `.execute(db)
}
