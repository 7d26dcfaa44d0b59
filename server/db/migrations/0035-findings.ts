import { type Kysely, sql } from 'kysely'

/** What the daily comparison of our payments with the gateway's lists found to differ, until it no longer does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table findings (
      id uuid primary key default uuidv7(),
      kind text not null check (kind in ('unknown_charge', 'charge_not_recorded', 'amount_differs', 'payment_without_charge')),
      payment_id uuid references payments (id),
      gateway_transaction_id text not null,
      -- What the gateway says was charged; null when it lists nothing.
      amount_cents integer,
      livemode boolean not null default installation_livemode(),
      found_at timestamptz not null,
      seen_at timestamptz not null,
      resolved_at timestamptz
    );
    create unique index findings_open on findings (kind, gateway_transaction_id) where resolved_at is null;
    create index payments_decided on payments (decided_at) where status in ('captured', 'disputed');
  `.execute(db)
}
