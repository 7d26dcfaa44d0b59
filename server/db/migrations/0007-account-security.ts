import { type Kysely, sql } from 'kysely'

/** Password resets, second factors, and re-authentication. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sessions add column proven_at timestamptz;

    create table password_resets (
      token_hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index password_resets_user on password_resets (user_id);

    -- last_step: the time step of the newest code that was taken; no code is taken twice (RFC 6238, 5.2).
    create table totp_secrets (
      user_id uuid primary key references users (id) on delete cascade,
      sealed_secret bytea not null,
      last_step bigint not null default 0,
      created_at timestamptz not null,
      confirmed_at timestamptz
    );

    create table passkeys (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      credential_id text not null constraint passkeys_credential unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null default '{}',
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id);

    create table recovery_codes (
      user_id uuid not null references users (id) on delete cascade,
      code_hash text not null,
      primary key (user_id, code_hash)
    );

    -- user_id is unknown only until a passkey says who logs in.
    create table proof_challenges (
      id uuid primary key default uuidv7(),
      purpose text not null check (purpose in ('login', 'prove', 'add-passkey')),
      user_id uuid references users (id) on delete cascade,
      passkey_challenge text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      check (user_id is not null or purpose = 'login')
    );
    create index proof_challenges_user on proof_challenges (user_id);
    create index proof_challenges_expiry on proof_challenges (expires_at);

    create table proof_attempts (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      made_at timestamptz not null
    );
    create index proof_attempts_user on proof_attempts (user_id, made_at);
  `.execute(db)
}
