import { type Kysely, sql } from 'kysely'

/**
 * Messages that sell what their buyer gets, or loses, by a purchase or an offer change with it. Subscriptions lend too many items
 * for that, and those of a free message or a delivery come after their grant: a chat shows these once it is loaded again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index messages_priced on messages (conversation_id) where price_cents is not null;

    create or replace function touch_message(shown uuid) returns void language plpgsql as $$
    declare
      talk record;
    begin
      update conversations set revision = revision + 1
        where id = (select conversation_id from messages where id = shown)
        returning id, revision, low_id, high_id into talk;
      -- Erased meanwhile.
      if talk.id is null then return; end if;
      update messages set revision = talk.revision where id = shown;
      perform pg_notify('fanfare_realtime', json_build_object('name', 'message.changed', 'conversationId', talk.id,
        'messageId', shown, 'people', json_build_array(talk.low_id, talk.high_id))::text);
    end $$;
    create function touch_messages_with_same_media() returns trigger language plpgsql as $$
    begin
      perform touch_message(shown.id) from (
        select messages.id from conversation_members as member
          join messages on messages.conversation_id = member.conversation_id and messages.sender_id = member.other_id
        where member.user_id = new.user_id
          and member.other_id = (
            select media.creator_id from entitlement_media join media on media.id = entitlement_media.media_id
            where entitlement_media.entitlement_id = new.id limit 1
          )
          and messages.price_cents is not null and messages.deleted_at is null
          and exists (
            select from message_attachments
              join entitlement_media on entitlement_media.media_id = message_attachments.media_id
            where message_attachments.message_id = messages.id and entitlement_media.entitlement_id = new.id offset 0
          )
          -- The message that was bought changes by itself.
          and not exists (
            select from orders
            where orders.id = new.source_id and orders.kind = 'message' and orders.item_id = messages.id offset 0
          )
        order by messages.position
      ) as shown;
      return null;
    end $$;
    -- At the end, once its items are there; and as whoever posts for an order locks its people before their conversation.
    create constraint trigger entitlements_same_media_given after insert on entitlements
      deferrable initially deferred for each row
      when (new.plan_id is null and new.source_kind <> 'message')
      execute function touch_messages_with_same_media();
    create constraint trigger entitlements_same_media_changed after update of revoked_at on entitlements
      deferrable initially deferred for each row
      when (new.plan_id is null and new.source_kind <> 'message')
      execute function touch_messages_with_same_media();
  `.execute(db)
}
