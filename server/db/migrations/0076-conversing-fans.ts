import { type Kysely, sql } from 'kysely'

/** With which of the fans who spent anything a creator converses, so that a page of those conversations is a few rows of an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index conversation_members_other;
    create index conversation_members_other on conversation_members (other_id, user_id);

    -- Kept of fans who spent something; of the others it says nothing.
    alter table fans add conversing boolean not null default false;
    update fans set conversing = true from conversation_members as me
      where spent_cents > 0 and me.other_id = fans.fan_id and me.user_id = fans.creator_id;
    create index fans_conversing on fans (creator_id, spent_cents desc, fan_id desc)
      where conversing and spent_cents > 0;

    create function keep_conversing_spender() returns trigger language plpgsql as $$
    begin
      new.conversing := exists (
        select from conversation_members where other_id = new.fan_id and user_id = new.creator_id
      );
      return new;
    end $$;
    create trigger fans_conversing before update of spent_cents on fans
      for each row when (new.spent_cents > 0 and not new.conversing) execute function keep_conversing_spender();

    create function note_conversation_of_spender() returns trigger language plpgsql as $$
    begin
      -- Whoever buys at the same moment goes first and is seen, or comes after and sees the conversation.
      perform from fans where creator_id = new.user_id and fan_id = new.other_id for share;
      if found then
        update fans set conversing = true
          where creator_id = new.user_id and fan_id = new.other_id and spent_cents > 0;
      end if;
      return null;
    end $$;
    create trigger conversation_members_spender after insert on conversation_members
      for each row execute function note_conversation_of_spender();
  `.execute(db)
}
