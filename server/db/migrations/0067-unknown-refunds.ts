import { type Kysely, sql } from 'kysely'

/** A refund that was made at the gateway itself is a finding as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'unknown_refund'));
  `.execute(db)
}
