import { type Kysely, sql } from 'kysely'

/**
 * What is checked of a payment at each commit looks up a few rows by their keys. Asked in one join, a session that planned
 * it while the tables were small reads all postings at every commit from then on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function require_whole_payment(payment uuid) returns void language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    declare
      charge record;
      sales integer;
      gross bigint;
    begin
      select payments.status, payments.amount_cents, orders.id, orders.subscription_id,
          orders.status = 'paid' and orders.paid_by = payments.id as pays, false as granted
        into charge from payments join orders on orders.id = payments.order_id where payments.id = payment;
      select count(*), coalesce(sum((
          select sum(postings.amount_cents) from postings
            join ledger_accounts on ledger_accounts.id = postings.account_id and ledger_accounts.kind = 'gateway'
          where postings.journal_id = journals.id
        )), 0) into sales, gross
        from journals where source_type = 'payment' and source_id = payment and kind = 'sale';
      if charge.status in ('captured', 'disputed') then
        charge.granted := exists (select from entitlements where source_kind = 'purchase' and source_id = charge.id)
          or exists (select from entitlements where source_kind = 'subscription' and source_id = charge.subscription_id);
        if sales = 1 and gross = charge.amount_cents and charge.pays and charge.granted then return; end if;
      elsif charge.status in ('voided', 'refunded') then
        -- Given back after it was captured, or in place of that.
        if (sales = 1) = charge.pays then return; end if;
      elsif sales = 0 and not charge.pays then
        return;
      end if;
      raise exception 'payment % is %, with % sales of %, pays: %, granted: %', payment, charge.status, sales, gross,
        charge.pays, charge.granted using errcode = 'integrity_constraint_violation', constraint = 'payments_whole';
    end $$;
  `.execute(db)
}
