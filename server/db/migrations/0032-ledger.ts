import { type Kysely, sql } from 'kysely'

/**
 * The ledger with currency and mode, a source that nothing is posted for twice, shares that become available later,
 * and kept balances; and payouts. What a creator was owed becomes pending: the first release makes available what is due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await accounts(db)
  await journals(db)
  await balances(db)
  await totals(db)
  await payouts(db)
}

async function accounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ledger_accounts
      drop constraint ledger_accounts_kind_check, drop constraint ledger_accounts_check,
      drop constraint ledger_accounts_kind_user_id_key,
      add currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      add livemode boolean not null default installation_livemode();
    update ledger_accounts set kind = 'creator_pending' where kind = 'creator_balance';
    update ledger_accounts set kind = 'referrer_pending' where kind = 'referrer_balance';
    alter table ledger_accounts
      add constraint ledger_accounts_kind_check check (kind in (
        'gateway', 'bank', 'processor_fees', 'platform_fees', 'creator_pending', 'creator_available', 'creator_reserve',
        'referrer_pending', 'referrer_available', 'payout_in_transit', 'dispute_clearing', 'dispute_fees',
        'refund_clearing', 'suspense')),
      add constraint ledger_accounts_owner_check check ((kind ~ '^(creator|referrer)_') = (user_id is not null)),
      add constraint ledger_accounts_key unique nulls not distinct (kind, user_id, currency, livemode);
    create index ledger_accounts_user on ledger_accounts (user_id) where user_id is not null;
  `.execute(db)
}

async function journals(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table journals disable trigger journals_append_only;
    alter table postings disable trigger postings_append_only;
    alter table journals rename purchase_id to order_id;
    alter table journals rename constraint journals_purchase_id_fkey to journals_order_id_fkey;
    alter index journals_purchase rename to journals_order;
    drop index journals_one_sale;
    alter table journals add source_type text, add source_id uuid, drop constraint journals_kind_check;
    update journals set
      source_type = case when kind = 'sale' then 'payment' else 'adjustment' end,
      source_id = case when kind = 'sale' then order_id else id end;
    alter table postings add available_at timestamptz;
    update postings set available_at = journals.occurred_at + interval '7 days'
      from journals, ledger_accounts as account
      where journals.id = journal_id and account.id = account_id and account.kind in ('creator_pending', 'referrer_pending');
    -- What the updates left to be checked at the end would stand in the way of the rest.
    set constraints all immediate;
    alter table journals enable trigger journals_append_only;
    alter table postings enable trigger postings_append_only;
    alter table journals
      alter column source_type set not null, alter column source_id set not null,
      add constraint journals_kind_check check (kind in (
        'sale', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost', 'release', 'payout', 'payout_paid',
        'payout_returned', 'commission', 'adjustment')),
      add constraint journals_source_type_check check (source_type in (
        'payment', 'refund', 'dispute', 'payout', 'release', 'commission', 'adjustment')),
      add constraint journals_source_key unique (source_type, source_id, kind);
    create index postings_available on postings (account_id, available_at) where available_at is not null;

    drop trigger postings_open_journal on postings;
    drop function journal_is_open();
    create function posting_is_allowed() returns trigger language plpgsql as $$
    declare
      journal journals;
      account ledger_accounts;
    begin
      select * into journal from journals where id = new.journal_id;
      select * into account from ledger_accounts where id = new.account_id;
      if journal.posted_in is distinct from pg_current_xact_id() then
        raise exception 'journal % is closed', new.journal_id using errcode = 'integrity_constraint_violation';
      end if;
      if journal.livemode <> account.livemode then
        raise exception 'sandbox and live money meet in journal %', new.journal_id
          using errcode = 'integrity_constraint_violation';
      end if;
      if account.kind in ('creator_pending', 'referrer_pending') and new.amount_cents < 0 and new.available_at is null then
        raise exception 'a pending share needs the time when it becomes available'
          using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger postings_allowed before insert on postings for each row execute function posting_is_allowed();

    create or replace function journal_balances() returns trigger language plpgsql as $$
    declare
      journal uuid := case tg_table_name when 'journals' then new.id else (to_jsonb(new) ->> 'journal_id')::uuid end;
      lines integer;
      wrong text;
    begin
      select sum(each.lines), string_agg(each.cents || ' ' || each.currency, ', ') filter (where each.cents <> 0)
        into lines, wrong
        from (select currency, count(*) as lines, sum(amount_cents) as cents
          from postings join ledger_accounts on ledger_accounts.id = account_id
          where journal_id = journal group by currency) as each;
      if coalesce(lines, 0) < 2 or wrong is not null then
        raise exception 'journal % has % postings and sums to %', journal, coalesce(lines, 0), coalesce(wrong, '0')
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end $$;

    create table ledger_releases (
      id uuid primary key default uuidv7(),
      account_id uuid not null references ledger_accounts (id),
      released_at timestamptz not null,
      unique (account_id, released_at)
    );
  `.execute(db)
}

/** People's accounts alone: a kept sum of the gateway's would make every sale wait for the one before. */
async function balances(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What a person is owed: the negated sum of the account's postings. Only a creator may come to owe us.
    create table ledger_balances (
      account_id uuid primary key references ledger_accounts (id),
      balance_cents bigint not null,
      may_be_negative boolean not null,
      check (may_be_negative or balance_cents >= 0)
    );
    insert into ledger_balances (account_id, balance_cents, may_be_negative)
      select id, coalesce((select -sum(amount_cents) from postings where account_id = ledger_accounts.id), 0), false
      from ledger_accounts where user_id is not null;

    create function open_ledger_balance() returns trigger language plpgsql as $$
    begin
      insert into ledger_balances (account_id, balance_cents, may_be_negative)
        values (new.id, 0, new.kind = 'creator_available');
      return null;
    end $$;
    create trigger ledger_balance_opened after insert on ledger_accounts
      for each row when (new.user_id is not null) execute function open_ledger_balance();

    create function keep_ledger_balances() returns trigger language plpgsql as $$
    begin
      -- In one order, so that two who post to the same people never wait for each other.
      perform from ledger_balances where account_id in (select account_id from added) order by account_id for update;
      update ledger_balances as kept set balance_cents = kept.balance_cents - moved.cents
        from (select account_id, sum(amount_cents) as cents from added group by account_id) as moved
        where kept.account_id = moved.account_id;
      if exists (select from added join journals on journals.id = added.journal_id
          join ledger_balances as kept on kept.account_id = added.account_id
          where journals.kind = 'payout' and added.amount_cents > 0 and kept.balance_cents < 0) then
        raise exception 'a payout overdraws its account' using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end $$;
    create trigger ledger_balances_kept after insert on postings
      referencing new table as added for each statement execute function keep_ledger_balances();
  `.execute(db)
}

/** The kept sums of people's orders; the journals that are there already are sales alone, whose sums stay the same. */
async function totals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function add_to_ledger_totals() returns trigger language plpgsql as $$
    begin
      -- In one order, so that two who add to the same people never wait for each other.
      insert into ledger_totals as kept (user_id, gross_cents, fee_cents, share_cents, spent_cents)
      select user_id, sum(fee + share), sum(fee), sum(share), sum(spent) from (
        select orders.creator_id as user_id, moved.fee, moved.share, 0 as spent ${movedByOrders}
        union all
        select orders.buyer_id, 0, 0, moved.fee + moved.share ${movedByOrders}
      ) as sums group by user_id order by user_id
      on conflict (user_id) do update set
        gross_cents = kept.gross_cents + excluded.gross_cents, fee_cents = kept.fee_cents + excluded.fee_cents,
        share_cents = kept.share_cents + excluded.share_cents, spent_cents = kept.spent_cents + excluded.spent_cents;
      -- What was sold on a day stays so, whatever is given back later.
      insert into ledger_quarter_hours as kept (creator_id, starts_at, sales, gross_cents, fee_cents, share_cents)
      select orders.creator_id, date_bin('15 minutes', orders.created_at, '2000-01-01 00:00:00+00') as starts_at,
        count(distinct moved.journal_id), sum(moved.fee + moved.share), sum(moved.fee), sum(moved.share)
        ${movedByOrders} where moved.kind = 'sale'
        group by orders.creator_id, starts_at order by orders.creator_id, starts_at
      on conflict (creator_id, starts_at) do update set
        sales = kept.sales + excluded.sales, gross_cents = kept.gross_cents + excluded.gross_cents,
        fee_cents = kept.fee_cents + excluded.fee_cents, share_cents = kept.share_cents + excluded.share_cents;
      return null;
    end $$;
  `.execute(db)
}

/** What the added postings of each order put into the creator's accounts, and into those that share the fee. */
const movedByOrders = sql`
  from (
    select journals.id as journal_id, journals.kind, journals.order_id,
      coalesce(-sum(amount_cents) filter (where account.kind = 'platform_fees' or account.kind ~ '^referrer_'), 0) as fee,
      coalesce(-sum(amount_cents) filter (where account.kind ~ '^creator_'), 0) as share
    from added join journals on journals.id = added.journal_id join ledger_accounts as account on account.id = account_id
    where journals.order_id is not null
    group by journals.id
  ) as moved join purchases as orders on orders.id = moved.order_id`

async function payouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payouts (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id),
      amount_cents bigint not null check (amount_cents > 0),
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      livemode boolean not null default installation_livemode(),
      status text not null default 'requested'
        check (status in ('requested', 'approved', 'in_transit', 'paid', 'failed', 'canceled')),
      requested_at timestamptz not null,
      changed_at timestamptz not null
    );
    create index payouts_user on payouts (user_id, requested_at desc, id desc);
    create index payouts_newest on payouts (requested_at desc, id desc);
    create index payouts_open on payouts (requested_at, id) where status in ('requested', 'approved', 'in_transit');

    create function payout_changes() returns trigger language plpgsql as $$
    begin
      if (new.id, new.user_id, new.amount_cents, new.currency, new.livemode, new.requested_at) is distinct from
          (old.id, old.user_id, old.amount_cents, old.currency, old.livemode, old.requested_at) then
        raise exception 'only the status of a payout changes' using errcode = 'integrity_constraint_violation';
      end if;
      if (old.status, new.status) not in (
          ('requested', 'approved'), ('requested', 'canceled'), ('approved', 'in_transit'), ('approved', 'canceled'),
          ('in_transit', 'paid'), ('in_transit', 'failed')) then
        raise exception 'a payout can''t go from % to %', old.status, new.status
          using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger payouts_change before update on payouts for each row execute function payout_changes();
    create trigger payouts_no_delete before delete on payouts for each row execute function refuse_change();
    create trigger payouts_no_truncate before truncate on payouts for each statement execute function refuse_change();

    create table payout_events (
      id uuid primary key default uuidv7(),
      payout_id uuid not null references payouts (id),
      status text not null,
      -- Who changed it: the person themselves, or an operator.
      actor_id uuid not null references users (id),
      reason text not null default '',
      occurred_at timestamptz not null,
      unique (payout_id, status)
    );
    create trigger payout_events_append_only before update or delete on payout_events
      for each row execute function refuse_change();
    create trigger payout_events_no_truncate before truncate on payout_events
      for each statement execute function refuse_change();
  `.execute(db)
}
