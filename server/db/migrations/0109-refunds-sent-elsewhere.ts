import { type Kysely, sql } from 'kysely'

/** Which refused refunds an operator sends another way, so that the gateway isn't asked for them meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds
      add column outside_since timestamptz,
      add column outside_by uuid references users (id),
      add check ((outside_since is null) = (outside_by is null));
    create index refunds_outside_by on refunds (outside_by) where outside_by is not null;
    drop index refunds_refused;
    create index refunds_refused on refunds (payment_id)
      where status = 'refused' and (requested_by is null or outside_since is not null);
    -- Those that were given back another way, by the numbers of their documents.
    create index refunds_outside on refunds (gateway_transaction_id) where gateway_transaction_id like 'outside %';
  `.execute(db)
}
