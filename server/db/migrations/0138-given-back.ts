import { type Kysely, sql } from 'kysely'

/**
 * What was given back since a payout is found without reading every sale since then; and a release is one of its own, as two
 * of an account and an order may come in one millisecond.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index journals_given_back on journals (id)
      where kind in ('refund', 'dispute_opened', 'dispute_lost') and source_type <> 'release';
    alter table ledger_releases drop constraint ledger_releases_key;
  `.execute(db)
}
