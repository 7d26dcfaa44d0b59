import { type Kysely, sql } from 'kysely'

/** Each file for the bank and the lines in it, so that one whose answer was lost can be had again (decision 078). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_exports (
      id uuid primary key default uuidv7(),
      livemode boolean not null default installation_livemode(),
      exported_by uuid not null references users (id),
      reason text not null,
      count integer not null check (count > 0),
      amount_cents bigint not null,
      exported_at timestamptz not null
    );
    create index payout_exports_by_time on payout_exports (exported_at desc, id desc);
    create index payout_exports_exported_by on payout_exports (exported_by);
    create table exported_payouts (
      -- Each payout goes to the bank once.
      payout_id uuid primary key references payouts (id),
      export_id uuid not null references payout_exports (id),
      user_id uuid not null references users (id) on delete cascade,
      position integer not null,
      sealed_line bytea not null,
      unique (export_id, position)
    );
    create index exported_payouts_user on exported_payouts (user_id);
  `.execute(db)
}
