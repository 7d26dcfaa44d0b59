import { type Kysely, sql } from 'kysely'

/**
 * Where people want to be paid (decision 054), sealed, and answers to repeated calls that name such details, sealed as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bank_details (
      user_id uuid primary key references users (id) on delete cascade,
      country text not null check (country ~ '^[A-Z]{2}$'),
      -- What the person is shown of the account.
      last_four text not null check (length(last_four) between 1 and 4),
      sealed_details bytea not null,
      changed_at timestamptz not null
    );
    alter table idempotency_keys
      alter column response drop not null,
      add column sealed_response bytea,
      add constraint idempotency_keys_answered check ((response is null) <> (sealed_response is null));
  `.execute(db)
}
