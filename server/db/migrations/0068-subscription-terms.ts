import { type Kysely, sql } from 'kysely'

/** Terms of several months: what a plan offers, what a subscription and its orders have, and what is agreed on for later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscription_plan_terms (
      plan_id uuid not null references subscription_plans (id) on delete cascade,
      months integer not null check (months in (3, 6, 12)),
      discount_percent integer not null check (discount_percent between 1 and 50),
      primary key (plan_id, months)
    );

    -- The end of a period is counted on from the end before it, so no period stands for the anchor.
    alter table subscriptions drop column anchor_period,
      add column months integer not null default 1 check (months in (1, 3, 6, 12));
    alter table orders add column months integer not null default 1 check (months in (1, 3, 6, 12)),
      add constraint orders_term check (months = 1 or (kind = 'subscription' and trial_days is null));

    create table subscription_agreements (
      id uuid primary key default uuidv7(),
      subscription_id uuid not null references subscriptions (id),
      months integer not null check (months in (1, 3, 6, 12)),
      price_cents integer not null check (price_cents > 0),
      -- It holds for the first period that begins then or later, and for those after that.
      effective_from timestamptz not null,
      -- Null where the price fell, for which nobody is asked.
      terms_version text,
      consented_at timestamptz,
      consent_network text,
      created_at timestamptz not null,
      applied_at timestamptz,
      withdrawn_at timestamptz,
      check ((terms_version is null) = (consented_at is null)),
      check (applied_at is null or withdrawn_at is null)
    );
    create index subscription_agreements_ahead on subscription_agreements (subscription_id, created_at desc, id desc)
      where applied_at is null and withdrawn_at is null;
    -- Whose consent a renewal rests on may have been applied long ago.
    create index subscription_agreements_subscription on subscription_agreements (subscription_id, created_at desc, id desc);
  `.execute(db)
}
