import { type Kysely, sql } from 'kysely'

/** When what a finding is about was charged, which operator takes care of it, and who called it resolved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table findings
      add column charged_at timestamptz,
      add column owner_id uuid references users (id),
      add column resolved_by uuid references users (id),
      add check (resolved_by is null or resolved_at is not null);
    -- What was found in the days compared then was charged within them.
    update findings set charged_at = coalesce(
      (select submitted_at from payments where payments.id = payment_id), found_at - interval '5 days');
    alter table findings alter column charged_at set not null;
    create index findings_resolved_by_hand on findings (gateway_transaction_id) where resolved_by is not null;
    create index findings_owner on findings (owner_id) where owner_id is not null;
  `.execute(db)
}
