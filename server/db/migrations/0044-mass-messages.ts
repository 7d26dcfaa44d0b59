import { type Kysely, sql } from 'kysely'

/** A creator's fans with what they spent, lists of them and notes on them, and messages to many at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await fans(db)
  await keepFans(db)
  await lists(db)
  await massMessages(db)
  await figures(db)
}

async function fans(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Who follows, subscribed to, or bought from a creator: kept by triggers, so that a page of any creator's fans in
    -- any order is a few rows of an index.
    create table fans (
      creator_id uuid not null references users (id) on delete cascade,
      fan_id uuid not null references users (id) on delete cascade,
      since timestamptz not null,
      follows boolean not null default false,
      subscription text not null default 'none' check (subscription in ('none', 'current', 'ended')),
      -- Whether they bought anything that was not given back.
      buys boolean not null default false,
      spent_cents bigint not null default 0,
      primary key (creator_id, fan_id)
    );
    insert into fans (creator_id, fan_id, since, follows, subscription, buys, spent_cents)
    select creator_id, fan_id, min(since), bool_or(follows),
      case when bool_or(current) then 'current' when bool_or(ended) then 'ended' else 'none' end, bool_or(buys), 0
    from (
      select following_id as creator_id, follower_id as fan_id, created_at as since, true as follows,
        false as current, false as ended, false as buys from follows
      union all
      select creator_id, fan_id, created_at, false, status <> 'expired', status = 'expired', false from subscriptions
        where status <> 'incomplete'
      union all
      select creator_id, buyer_id, created_at, false, false, false, true from orders
        where status = 'paid' and refunded_at is null
    ) as each group by creator_id, fan_id;
    update fans set spent_cents = spent.cents from (
      select orders.creator_id, orders.buyer_id, -sum(postings.amount_cents) as cents
      from postings join journals on journals.id = journal_id join orders on orders.id = journals.order_id
        join ledger_accounts as account on account.id = account_id
      where account.kind ~ '^(platform_fees|referrer_|creator_)' group by 1, 2
    ) as spent where spent.creator_id = fans.creator_id and spent.buyer_id = fans.fan_id;
    create index fans_newest on fans (creator_id, since desc, fan_id desc);
    create index fans_spending on fans (creator_id, spent_cents desc, fan_id desc);
    create index fans_subscribers on fans (creator_id, since desc, fan_id desc) where subscription <> 'none';
    create index fans_fan on fans (fan_id);
  `.execute(db)
}

async function keepFans(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keep_fan_of_follow() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update fans set follows = false where creator_id = old.following_id and fan_id = old.follower_id;
      else
        insert into fans (creator_id, fan_id, since, follows)
          values (new.following_id, new.follower_id, new.created_at, true)
          on conflict (creator_id, fan_id) do update set follows = true;
      end if;
      return null;
    end $$;
    create trigger follows_fan after insert or delete on follows for each row execute function keep_fan_of_follow();

    create function keep_fan_of_subscription() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' or old.status = 'incomplete' then
        insert into fans (creator_id, fan_id, since) values (new.creator_id, new.fan_id, new.created_at)
          on conflict do nothing;
      end if;
      -- Held before the others are looked at, as another subscription of theirs may change at the same time.
      perform from fans where creator_id = new.creator_id and fan_id = new.fan_id for update;
      update fans set subscription = case when exists (
          select from subscriptions where creator_id = new.creator_id and fan_id = new.fan_id
            and status in ('trialing', 'active', 'past_due', 'canceled')
        ) then 'current' else 'ended' end
        where creator_id = new.creator_id and fan_id = new.fan_id;
      return null;
    end $$;
    create trigger subscriptions_fan after insert or update of status on subscriptions
      for each row when (new.status <> 'incomplete') execute function keep_fan_of_subscription();

    create function keep_fan_of_order() returns trigger language plpgsql as $$
    begin
      if new.refunded_at is null then
        insert into fans (creator_id, fan_id, since, buys) values (new.creator_id, new.buyer_id, new.paid_at, true)
          on conflict (creator_id, fan_id) do update set buys = true;
      else
        perform from fans where creator_id = new.creator_id and fan_id = new.buyer_id for update;
        update fans set buys = exists (
            select from orders where creator_id = new.creator_id and buyer_id = new.buyer_id
              and status = 'paid' and refunded_at is null
          ) where creator_id = new.creator_id and fan_id = new.buyer_id;
      end if;
      return null;
    end $$;
    create trigger orders_fan after insert or update of status, refunded_at on orders
      for each row when (new.status = 'paid') execute function keep_fan_of_order();

    create function forget_former_fan() returns trigger language plpgsql as $$
    begin
      delete from fans where creator_id = new.creator_id and fan_id = new.fan_id;
      return null;
    end $$;
    create trigger fans_former after update on fans
      for each row when (not new.follows and new.subscription = 'none' and not new.buys and new.spent_cents = 0)
      execute function forget_former_fan();

    create function keep_fan_spending() returns trigger language plpgsql as $$
    begin
      update fans set spent_cents = spent_cents + moved.cents from (
        select orders.creator_id, orders.buyer_id, -sum(added.amount_cents) as cents
        from added join journals on journals.id = added.journal_id join orders on orders.id = journals.order_id
          join ledger_accounts as account on account.id = added.account_id
        where account.kind ~ '^(platform_fees|referrer_|creator_)' group by 1, 2
      ) as moved where moved.creator_id = fans.creator_id and moved.buyer_id = fans.fan_id and moved.cents <> 0;
      return null;
    end $$;
    create trigger postings_fan_spending after insert on postings
      referencing new table as added for each statement execute function keep_fan_spending();
  `.execute(db)
}

async function lists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fan_lists (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      name text not null,
      members integer not null default 0 constraint fan_lists_size check (members between 0 and 100000),
      created_at timestamptz not null
    );
    create unique index fan_lists_name on fan_lists (creator_id, lower(name));

    create table fan_list_members (
      list_id uuid not null references fan_lists (id) on delete cascade,
      fan_id uuid not null references users (id) on delete cascade,
      added_at timestamptz not null,
      primary key (list_id, fan_id)
    );
    create index fan_list_members_newest on fan_list_members (list_id, added_at desc, fan_id desc);
    create index fan_list_members_fan on fan_list_members (fan_id);

    create function count_fan_list_members() returns trigger language plpgsql as $$
    begin
      update fan_lists set members = members + changed.count * case tg_op when 'INSERT' then 1 else -1 end
        from (select list_id, count(*)::int as count from changes group by list_id) as changed where changed.list_id = id;
      return null;
    end $$;
    create trigger fan_list_members_added after insert on fan_list_members
      referencing new table as changes for each statement execute function count_fan_list_members();
    create trigger fan_list_members_removed after delete on fan_list_members
      referencing old table as changes for each statement execute function count_fan_list_members();

    create table fan_notes (
      creator_id uuid not null references users (id) on delete cascade,
      fan_id uuid not null references users (id) on delete cascade,
      note text not null,
      changed_at timestamptz not null,
      primary key (creator_id, fan_id)
    );
    create index fan_notes_fan on fan_notes (fan_id);
  `.execute(db)
}

async function massMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mass_messages (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      content text not null,
      -- What the attachments cost together; without it they come with the message.
      price_cents integer check (price_cents > 0),
      audience text not null check (audience in ('followers', 'subscribers', 'expired', 'list')),
      list_id uuid references fan_lists (id) on delete set null,
      excluded_list_id uuid references fan_lists (id) on delete set null,
      status text not null check (status in ('scheduled', 'sending', 'sent', 'unsending', 'unsent', 'failed')),
      -- Why it was not sent.
      failure text,
      created_at timestamptz not null,
      send_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      -- How many people it was for when it began.
      expected integer not null,
      sent integer not null default 0,
      unsent integer not null default 0,
      -- Attachments that were no longer available when it began.
      left_out integer not null default 0,
      -- Up to whom the people, newest fans first, have it, or the conversations have lost it.
      reached_at timestamptz,
      reached_id uuid,
      check ((status = 'failed') = (failure is not null)),
      check ((status in ('scheduled', 'failed')) or started_at is not null)
    );
    create index mass_messages_newest on mass_messages (creator_id, send_at desc, id desc);
    create index mass_messages_created on mass_messages (creator_id, created_at);
    create index mass_messages_list on mass_messages (list_id) where list_id is not null;
    create index mass_messages_excluded_list on mass_messages (excluded_list_id) where excluded_list_id is not null;

    create table mass_message_attachments (
      mass_message_id uuid not null references mass_messages (id) on delete cascade,
      place smallint not null,
      media_id uuid not null references media (id) on delete cascade,
      version_id uuid not null,
      primary key (mass_message_id, place),
      foreign key (media_id, version_id) references media_versions (media_id, id) on delete cascade
    );
    create index mass_message_attachments_media on mass_message_attachments (media_id, version_id);
    create index mass_message_attachments_version on mass_message_attachments (version_id);

    alter table messages add mass_message_id uuid references mass_messages (id) on delete set null;
    -- Nobody gets it twice, whatever is tried again.
    create unique index messages_mass_message on messages (mass_message_id, conversation_id)
      where mass_message_id is not null;
    create index messages_mass_conversation on messages (conversation_id, position) where mass_message_id is not null;
  `.execute(db)
}

async function figures(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What became of a mass message, in several rows, so that its readers don't wait for one another: who opened it in
    -- slots 0 to 15, what was bought in 16 to 31. Readers hold the conversation first, buyers the figures, so they never
    -- share a row.
    create table mass_message_figures (
      mass_message_id uuid not null references mass_messages (id) on delete cascade,
      slot smallint not null,
      opened integer not null default 0,
      bought integer not null default 0,
      share_cents bigint not null default 0,
      primary key (mass_message_id, slot)
    );

    create function mass_message_slot(conversation uuid, sold boolean) returns smallint language sql immutable
      return ((hashtext(conversation::text) & 15) + case when sold then 16 else 0 end)::smallint;

    create function count_opened_mass_messages() returns trigger language plpgsql as $$
    begin
      insert into mass_message_figures as kept (mass_message_id, slot, opened)
        select mass_message_id, mass_message_slot(conversation_id, false), 1 from messages
        where conversation_id = new.conversation_id and mass_message_id is not null and deleted_at is null
          and sender_id <> new.user_id and position > old.read_position and position <= new.read_position
        order by mass_message_id
        on conflict (mass_message_id, slot) do update set opened = kept.opened + 1;
      return null;
    end $$;
    create trigger conversation_members_opened after update of read_position on conversation_members
      for each row when (new.read_position > old.read_position) execute function count_opened_mass_messages();

    create function count_bought_mass_message() returns trigger language plpgsql as $$
    begin
      insert into mass_message_figures as kept (mass_message_id, slot, bought)
        select mass_message_id, mass_message_slot(conversation_id, true), case when new.refunded_at is null then 1 else -1 end
        from messages where id = new.item_id and mass_message_id is not null
        on conflict (mass_message_id, slot) do update set bought = kept.bought + excluded.bought;
      return null;
    end $$;
    create trigger orders_mass_message_bought after update of status on orders for each row
      when (new.kind = 'message' and new.status = 'paid' and old.status <> 'paid' and new.refunded_at is null)
      execute function count_bought_mass_message();
    create trigger orders_mass_message_refunded after update of refunded_at on orders for each row
      when (new.kind = 'message' and new.status = 'paid' and old.status = 'paid'
        and (new.refunded_at is null) <> (old.refunded_at is null))
      execute function count_bought_mass_message();

    create function add_mass_message_share() returns trigger language plpgsql as $$
    begin
      insert into mass_message_figures as kept (mass_message_id, slot, share_cents)
        select mass_message_id, mass_message_slot(conversation_id, true), -sum(added.amount_cents) as cents
        from added join journals on journals.id = added.journal_id
          join orders on orders.id = journals.order_id and orders.kind = 'message'
          join messages on messages.id = orders.item_id and mass_message_id is not null
          join ledger_accounts as account on account.id = added.account_id and account.kind ~ '^creator_'
        group by 1, 2 having sum(added.amount_cents) <> 0 order by 1, 2
        on conflict (mass_message_id, slot) do update set share_cents = kept.share_cents + excluded.share_cents;
      return null;
    end $$;
    create trigger postings_mass_message_share after insert on postings
      referencing new table as added for each statement execute function add_mass_message_share();
  `.execute(db)
}
