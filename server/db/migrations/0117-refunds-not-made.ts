import { type Kysely, sql } from 'kysely'

/** A refund that is recorded, and that the gateway voided or couldn't settle, is a finding. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'chargeback_not_recorded',
       'unknown_refund', 'refund_not_made', 'settlement_differs'));
  `.execute(db)
}
