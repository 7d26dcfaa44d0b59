import { type Kysely, sql } from 'kysely'

/**
 * Sales are counted whatever was given back of them since, what banks took back is not refunded as well, and referrers' parts
 * of what is disputed have a reserve. What banks took back is compared with the gateway's batches and lists, also of what had
 * been given back before, which is the platform's loss.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index payments_decided;
    create index payments_decided on payments (decided_at) where status in ('captured', 'disputed', 'refunded');
  `.execute(db)
  await refundsBesideDisputes(db)
  await sql`
    alter table ledger_accounts drop constraint ledger_accounts_kind_check;
    alter table ledger_accounts add constraint ledger_accounts_kind_check check (kind in (
      'gateway', 'bank', 'processor_fees', 'platform_fees', 'creator_pending', 'creator_available', 'creator_reserve',
      'referrer_pending', 'referrer_available', 'referrer_reserve', 'payout_in_transit', 'dispute_clearing', 'dispute_fees',
      'dispute_losses', 'refund_clearing', 'suspense'));
  `.execute(db)
  await chargebacks(db)
}

/** A new refund and all that was lost in disputes are within the charge. */
async function refundsBesideDisputes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refund_fits_disputes() returns trigger language plpgsql as $$
    begin
      if new.amount_cents + (select coalesce(sum(amount_cents), 0) from refunds
            where payment_id = new.payment_id and id <> new.id and status <> 'refused')
          + (select coalesce(sum(amount_cents), 0) from disputes where payment_id = new.payment_id and status = 'lost')
          > (select amount_cents from payments where id = new.payment_id) then
        raise exception 'refunds and disputes of payment % exceed it', new.payment_id
          using errcode = 'integrity_constraint_violation', constraint = 'refunds_within_charge';
      end if;
      return new;
    end $$;
    -- After the guard of refunds, by its name, which locks the payment.
    create trigger refunds_within_disputes before insert on refunds
      for each row execute function refund_fits_disputes();
  `.execute(db)
}

/** What banks took back, by the gateway's batches and lists, against the disputes that are recorded. */
async function chargebacks(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table settlements add column own_charged_back_cents bigint not null default 0;
    -- What is posted was taken for recorded.
    alter table settlements disable trigger settlements_change;
    update settlements set own_charged_back_cents = charged_back_cents where posted_at is not null;
    alter table settlements enable trigger settlements_change;
    alter table settlements alter column own_charged_back_cents drop default;

    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'chargeback_not_recorded',
       'unknown_refund', 'settlement_differs'));
  `.execute(db)
}
