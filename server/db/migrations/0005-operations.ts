import { type Kysely, sql } from 'kysely'

/** What the server itself needs: idempotency keys, audit log, rate limits, the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_keys (
      user_id uuid not null references users (id) on delete cascade,
      key text not null,
      route text not null,
      request_hash text not null,
      status integer not null,
      response jsonb not null,
      created_at timestamptz not null,
      primary key (user_id, key)
    );
    create index idempotency_keys_age on idempotency_keys (created_at);

    create table audit_log (
      id uuid primary key default uuidv7(),
      actor_id uuid references users (id),
      action text not null,
      target_kind text not null,
      target_id text not null,
      reason text not null default '',
      detail jsonb not null default '{}',
      occurred_at timestamptz not null
    );
    create index audit_log_actor on audit_log (actor_id, occurred_at desc);
    create index audit_log_target on audit_log (target_kind, target_id);
    create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
    create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

    create table rate_limits (
      key text primary key,
      points integer not null,
      expire bigint
    );
    create index rate_limits_expire on rate_limits (expire);

    -- One row each: how far the sandbox has moved the clock, and whether the sample data was loaded.
    create table installation (
      id boolean primary key default true check (id),
      clock_offset_ms bigint not null default 0,
      sample_data_at timestamptz
    );
    insert into installation default values;
  `.execute(db)
}
