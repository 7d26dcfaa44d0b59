import { type Kysely, sql } from 'kysely'

/** Higher prices that current subscribers are asked for, whom, and what they answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table price_changes (
      id uuid primary key default uuidv7(),
      plan_id uuid not null references subscription_plans (id),
      -- Of one month.
      price_cents integer not null check (price_cents > 0),
      created_at timestamptz not null,
      -- Another change of the plan's prices took its place.
      closed_at timestamptz
    );
    create unique index price_changes_one_open on price_changes (plan_id) where closed_at is null;

    create table price_change_notices (
      change_id uuid not null references price_changes (id),
      subscription_id uuid not null references subscriptions (id),
      months integer not null check (months in (1, 3, 6, 12)),
      price_cents integer not null check (price_cents > 0),
      -- The first period that it would hold for begins then or later.
      effective_from timestamptz not null,
      -- The days of notice count from then; null until then.
      told_at timestamptz,
      agreed_at timestamptz,
      declined_at timestamptz,
      primary key (change_id, subscription_id),
      check (agreed_at is null or declined_at is null)
    );
    create index price_change_notices_subscription on price_change_notices (subscription_id);

    alter table subscription_agreements add column price_change_id uuid references price_changes (id);
    create index subscription_agreements_change on subscription_agreements (price_change_id, subscription_id)
      where price_change_id is not null;
  `.execute(db)
}
