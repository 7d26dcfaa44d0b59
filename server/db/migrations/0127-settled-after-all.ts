import { type Kysely, sql } from 'kysely'

/** What an operator gave up of a batch is known by its numbers, so that it is found once a later batch settles it after all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The gateway's numbers of what we count and the batch didn't settle, from when an operator resolved it.
    alter table settlements add column given_up text[] not null default '{}';
    create index settlements_given_up on settlements using gin (given_up) where given_up <> '{}';

    alter table findings drop constraint findings_kind_check;
    alter table findings add constraint findings_kind_check check (kind in
      ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge', 'chargeback_not_recorded',
       'unknown_refund', 'refund_not_made', 'refund_made_after_all', 'settlement_differs', 'settlement_failed',
       'settled_after_all'));
  `.execute(db)
}
