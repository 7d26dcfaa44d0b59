import { type Kysely, sql } from 'kysely'

/** A batch that its processor rejected is a finding of its own kind, as another thing is to be done about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'chargeback_not_recorded',
       'unknown_refund', 'refund_not_made', 'refund_made_after_all', 'settlement_differs', 'settlement_failed'));
  `.execute(db)
}
