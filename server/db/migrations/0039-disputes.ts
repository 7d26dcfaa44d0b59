import { type Kysely, sql } from 'kysely'

/** Payments that a cardholder's bank took back, until it has decided; what they granted may have to be given again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table disputes (
      id uuid primary key default uuidv7(),
      payment_id uuid not null,
      order_id uuid not null,
      amount_cents integer not null check (amount_cents > 0),
      -- What the bank takes for the dispute itself, whoever wins.
      fee_cents integer not null check (fee_cents >= 0),
      cause text not null check (cause in ('fraud', 'not_received', 'not_as_described', 'duplicate', 'canceled', 'other')),
      case_number text not null,
      respond_by date,
      status text not null default 'open' check (status in ('open', 'won', 'lost')),
      livemode boolean not null default installation_livemode(),
      recorded_by uuid not null references users (id),
      opened_at timestamptz not null,
      decided_at timestamptz,
      foreign key (payment_id, order_id) references payments (id, order_id),
      unique (payment_id, case_number),
      check ((status = 'open') = (decided_at is null))
    );
    create unique index disputes_one_open on disputes (payment_id) where status = 'open';
    create index disputes_newest on disputes (opened_at desc, id desc);
    create index disputes_open on disputes (opened_at desc, id desc) where status = 'open';

    create function guard_dispute() returns trigger language plpgsql as $$
    begin
      if (new.payment_id, new.order_id, new.amount_cents, new.fee_cents, new.case_number, new.livemode, new.recorded_by, new.opened_at)
        is distinct from (old.payment_id, old.order_id, old.amount_cents, old.fee_cents, old.case_number, old.livemode,
          old.recorded_by, old.opened_at) or old.status <> 'open' then
        raise exception 'what dispute % is of stays', old.id
          using errcode = 'integrity_constraint_violation', constraint = 'disputes_fixed';
      end if;
      return new;
    end $$;
    create trigger disputes_guarded before update on disputes for each row execute function guard_dispute();
    create trigger disputes_no_delete before delete on disputes for each row execute function refuse_change();
    create trigger disputes_no_truncate before truncate on disputes for each statement execute function refuse_change();

    -- A dispute that was won leaves a payment as it was.
    create or replace function payment_may_become(old_status text, new_status text) returns boolean language sql immutable
      return case old_status
        when 'created' then new_status in ('submitting', 'refused')
        when 'submitting' then new_status in ('captured', 'declined', 'held', 'refused', 'unknown', 'voided', 'refunded')
        when 'unknown' then new_status in ('captured', 'declined', 'held', 'refused', 'voided', 'refunded')
        when 'held' then new_status in ('captured', 'declined', 'refused', 'voided', 'refunded')
        when 'refused' then new_status in ('captured', 'declined', 'held', 'voided', 'refunded')
        when 'captured' then new_status in ('voided', 'refunded', 'disputed')
        when 'disputed' then new_status = 'captured'
        else false
      end;

    -- Taken back for as long as a dispute lasts: what it unlocked is kept, as it may be given again.
    alter table entitlements add column restorable boolean not null default false,
      add check (not restorable or revoked_at is not null);

    create index orders_newest on orders (created_at desc, id desc);
    create index payments_charge on payments (gateway_transaction_id) where gateway_transaction_id is not null;
  `.execute(db)
}
