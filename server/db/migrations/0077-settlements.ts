import { type Kysely, sql } from 'kysely'

/** What the gateway settled, batch by batch, and the journal that moves it to the bank account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settlements (
      id uuid primary key default uuidv7(),
      -- The gateway's number of the batch.
      batch_id text not null check (length(batch_id) between 1 and 100),
      settled_at timestamptz not null,
      currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
      livemode boolean not null default installation_livemode(),
      -- What the gateway's statistics say.
      charged_cents bigint not null check (charged_cents >= 0),
      refunded_cents bigint not null check (refunded_cents >= 0),
      charged_back_cents bigint not null check (charged_back_cents >= 0),
      -- What our payments and refunds of the batch's transactions come to.
      own_charged_cents bigint not null,
      own_refunded_cents bigint not null,
      compared_at timestamptz not null,
      posted_at timestamptz,
      unique (batch_id, livemode)
    );
    create index settlements_newest on settlements (settled_at desc, id desc);
    create index settlements_differing on settlements (settled_at) where posted_at is null;

    create function settlement_changes() returns trigger language plpgsql as $$
    begin
      if old.posted_at is not null or
          (new.id, new.batch_id, new.settled_at, new.currency, new.livemode) is distinct from
          (old.id, old.batch_id, old.settled_at, old.currency, old.livemode) then
        raise exception 'a settlement that is posted stays as it is' using errcode = 'integrity_constraint_violation';
      end if;
      return new;
    end $$;
    create trigger settlements_change before update on settlements
      for each row execute function settlement_changes();
    create trigger settlements_no_delete before delete on settlements
      for each row execute function refuse_change();
    create trigger settlements_no_truncate before truncate on settlements
      for each statement execute function refuse_change();

    -- By the gateway's number, as a batch lists what it holds.
    create index refunds_gateway_number on refunds (gateway_transaction_id) where gateway_transaction_id is not null;

    alter table journals drop constraint journals_kind_check, drop constraint journals_source_type_check;
    alter table journals
      add constraint journals_kind_check check (kind in (
        'sale', 'refund', 'dispute_opened', 'dispute_won', 'dispute_lost', 'release', 'payout', 'payout_paid',
        'payout_returned', 'settlement', 'commission', 'adjustment')),
      add constraint journals_source_type_check check (source_type in (
        'payment', 'refund', 'dispute', 'payout', 'release', 'settlement', 'commission', 'adjustment'));

    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'unknown_refund',
       'settlement_differs'));
  `.execute(db)
}
