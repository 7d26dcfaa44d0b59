import { type Kysely, sql } from 'kysely'

/** The double-entry ledger, which the database itself keeps balanced and append-only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_accounts (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('gateway', 'platform_fees', 'creator_balance', 'referrer_balance')),
      user_id uuid references users (id),
      check ((kind in ('creator_balance', 'referrer_balance')) = (user_id is not null)),
      unique nulls not distinct (kind, user_id)
    );

    create table journals (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('sale', 'refund', 'void', 'chargeback', 'payout', 'commission')),
      purchase_id uuid references purchases (id),
      occurred_at timestamptz not null,
      reason text not null default '',
      posted_in xid8 not null default pg_current_xact_id()
    );
    create unique index journals_one_sale on journals (purchase_id) where kind = 'sale';
    create index journals_purchase on journals (purchase_id);

    -- Debits are positive, credits negative; every journal sums to zero.
    create table postings (
      id uuid primary key default uuidv7(),
      journal_id uuid not null references journals (id),
      account_id uuid not null references ledger_accounts (id),
      amount_cents bigint not null check (amount_cents <> 0)
    );
    create index postings_journal on postings (journal_id);
    create index postings_account on postings (account_id, id);

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
    end $$;

    create function journal_is_open() returns trigger language plpgsql as $$
    begin
      if (select posted_in from journals where id = new.journal_id) is distinct from pg_current_xact_id() then
        raise exception 'journal % is closed', new.journal_id using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;

    create function journal_balances() returns trigger language plpgsql as $$
    declare
      journal uuid := case tg_table_name when 'journals' then new.id else (to_jsonb(new) ->> 'journal_id')::uuid end;
      lines integer;
      total bigint;
    begin
      select count(*), coalesce(sum(amount_cents), 0) into lines, total from postings where journal_id = journal;
      if lines < 2 or total <> 0 then
        raise exception 'journal % has % postings and sums to %', journal, lines, total
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end $$;

    create trigger journals_append_only before update or delete on journals for each row execute function refuse_change();
    create trigger journals_no_truncate before truncate on journals for each statement execute function refuse_change();
    create trigger postings_append_only before update or delete on postings for each row execute function refuse_change();
    create trigger postings_no_truncate before truncate on postings for each statement execute function refuse_change();
    create trigger postings_open_journal before insert on postings for each row execute function journal_is_open();
    create constraint trigger journals_balance after insert on journals
      deferrable initially deferred for each row execute function journal_balances();
    create constraint trigger postings_balance after insert on postings
      deferrable initially deferred for each row execute function journal_balances();
  `.execute(db)
}
