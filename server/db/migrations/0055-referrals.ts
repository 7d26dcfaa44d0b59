import { type Kysely, sql } from 'kysely'

/** Codes that several people share, who an account was referred by, and what an order pays its referrers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shared_codes (
      id uuid primary key default uuidv7(),
      code text not null unique,
      title text not null check (char_length(title) between 1 and 80),
      updated_by uuid not null references users (id),
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index shared_codes_updated_by on shared_codes (updated_by);
    -- The first one manages the code.
    create table shared_code_participants (
      code_id uuid not null references shared_codes (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      place smallint not null check (place >= 0),
      primary key (code_id, user_id),
      unique (code_id, place)
    );
    create index shared_code_participants_user on shared_code_participants (user_id, code_id);

    -- Until now only what was typed was kept, and no such code existed.
    alter table users drop column shared_referral_code;
    alter table users
      add column referred_by_shared uuid references shared_codes (id),
      add check (num_nonnulls(referred_by, referred_by_shared) <= 1);
    create index users_referred_by_shared on users (referred_by_shared) where referred_by_shared is not null;
    -- Tips for the operator go to the first of them.
    create index users_superadmins on users (created_at, id) where role = 'superadmin';

    -- Agreed with the order, paid out of its fee, and posted when it is captured.
    create table order_commissions (
      order_id uuid not null references orders (id),
      referrer_id uuid not null references users (id),
      -- Whom they referred.
      side text not null check (side in ('buyer', 'seller', 'both')),
      -- Null for a person's own link.
      shared_code_id uuid references shared_codes (id),
      cents bigint not null check (cents > 0),
      primary key (order_id, referrer_id)
    );
    create index order_commissions_referrer on order_commissions (referrer_id);
    create trigger order_commissions_append_only before update or delete on order_commissions
      for each row execute function refuse_change();
    create trigger order_commissions_no_truncate before truncate on order_commissions
      for each statement execute function refuse_change();

    -- What each person earned as a referrer in a month of UTC, less what was taken back in it.
    create table commission_months (
      referrer_id uuid not null references users (id),
      month date not null,
      cents bigint not null,
      primary key (referrer_id, month)
    );
    create function add_to_commission_months() returns trigger language plpgsql as $$
    begin
      insert into commission_months as kept (referrer_id, month, cents)
      select account.user_id, date_trunc('month', journals.occurred_at at time zone 'UTC')::date, -sum(amount_cents)
      from added join journals on journals.id = added.journal_id join ledger_accounts as account on account.id = account_id
      where account.kind ~ '^referrer_' and journals.kind not in ('release', 'payout', 'payout_returned')
      group by 1, 2 order by 1, 2
      on conflict (referrer_id, month) do update set cents = kept.cents + excluded.cents;
      return null;
    end $$;
    -- Triggers fire by their names: after the one that keeps balances, whose locks come first everywhere.
    create trigger postings_commission_months after insert on postings
      referencing new table as added for each statement execute function add_to_commission_months();
  `.execute(db)
}
