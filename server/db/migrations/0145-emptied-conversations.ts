import { type Kysely, sql } from 'kysely'

/**
 * Who spent most is listed without the conversations that taking a mass message back emptied, which stand behind the end of
 * a list, those from before this as well; and who bought something other than a tip for the site is read from an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function keep_conversing_spender() returns trigger language plpgsql as $$
    begin
      new.conversing := exists (
        select from conversation_members
        where other_id = new.fan_id and user_id = new.creator_id and last_at > '-infinity'
      );
      return new;
    end $$;

    create or replace function note_conversation_of_spender() returns trigger language plpgsql as $$
    begin
      -- Whoever buys at the same moment goes first and is seen, or comes after and sees the conversation.
      perform from fans where creator_id = new.user_id and fan_id = new.other_id for share;
      if found then
        update fans set conversing = new.last_at > '-infinity'
          where creator_id = new.user_id and fan_id = new.other_id and spent_cents > 0;
      end if;
      return null;
    end $$;
    create trigger conversation_members_emptied after update of last_at on conversation_members
      for each row when ((old.last_at > '-infinity') <> (new.last_at > '-infinity'))
      execute function note_conversation_of_spender();

    update conversation_members as me set last_at = '-infinity'
    from conversations join conversation_members as them on them.conversation_id = conversations.id
    where last_message_id is null and me.conversation_id = conversations.id and me.last_at > '-infinity'
      and them.user_id = me.other_id and not me.wrote and not them.wrote;

    drop index orders_fans;
    create index orders_fans on orders (creator_id, buyer_id) include (kind) where status = 'paid' and refunded_at is null;
  `.execute(db)
}
