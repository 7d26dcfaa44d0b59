import { type Kysely, sql } from 'kysely'

/** Purchases, stored cards, subscriptions and entitlements. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table purchases (
      id uuid primary key default uuidv7(),
      buyer_id uuid not null references users (id),
      creator_id uuid not null references users (id),
      kind text not null check (kind in ('subscription', 'bundle', 'single')),
      item_id uuid not null,
      title text not null,
      amount_cents integer not null check (amount_cents > 0),
      status text not null check (status in
        ('created', 'submitting', 'captured', 'declined', 'held', 'refused', 'unknown', 'voided', 'refunded', 'disputed')),
      reason text,
      reference text not null unique check (length(reference) <= 20),
      save_card boolean not null default false,
      gateway_transaction_id text unique,
      network_transaction_id text,
      card_brand text,
      card_last_four text,
      idempotency_key text,
      request_hash text,
      lookups integer not null default 0,
      created_at timestamptz not null,
      submitted_at timestamptz,
      decided_at timestamptz,
      check (buyer_id <> creator_id),
      check ((status in ('captured', 'voided', 'refunded', 'disputed')) <= (gateway_transaction_id is not null))
    );
    -- One undecided attempt per fan and item, and a single or bundle is bought once: the index decides every race.
    create unique index purchases_one_open on purchases (buyer_id, kind, item_id)
      where status in ('created', 'submitting', 'held', 'unknown');
    create unique index purchases_bought_once on purchases (buyer_id, kind, item_id)
      where status in ('captured', 'disputed') and kind <> 'subscription';
    create unique index purchases_idempotency on purchases (buyer_id, idempotency_key);
    create index purchases_undecided on purchases (created_at) where status in ('created', 'submitting', 'held', 'unknown');
    create index purchases_buyer on purchases (buyer_id, created_at desc, id desc);
    create index purchases_creator on purchases (creator_id, created_at desc, id desc);

    create table stored_cards (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      customer_profile_id text not null,
      payment_profile_id text not null,
      brand text not null,
      last_four text not null,
      created_at timestamptz not null,
      unique (customer_profile_id, payment_profile_id)
    );
    create index stored_cards_user on stored_cards (user_id);

    create table subscriptions (
      id uuid primary key default uuidv7(),
      plan_id uuid not null references subscription_plans (id),
      fan_id uuid not null references users (id),
      creator_id uuid not null references users (id),
      price_cents integer not null,
      status text not null check (status in ('incomplete', 'trialing', 'active', 'past_due', 'canceled', 'expired')),
      anchor_at timestamptz not null,
      current_period_end timestamptz not null,
      stored_card_id uuid references stored_cards (id) on delete set null,
      network_transaction_id text,
      created_at timestamptz not null,
      ended_at timestamptz
    );
    create unique index subscriptions_one_live on subscriptions (fan_id, plan_id) where status in ('trialing', 'active', 'past_due');
    create index subscriptions_plan on subscriptions (plan_id);
    create index subscriptions_fan on subscriptions (fan_id, created_at desc);
    create index subscriptions_due on subscriptions (current_period_end) where status in ('trialing', 'active', 'past_due');

    create table entitlements (
      id uuid primary key default uuidv7(),
      user_id uuid not null references users (id) on delete cascade,
      kind text not null check (kind in ('single', 'bundle', 'subscription')),
      purchase_id uuid unique references purchases (id),
      subscription_id uuid references subscriptions (id),
      plan_id uuid references subscription_plans (id),
      granted_at timestamptz not null,
      valid_until timestamptz,
      revoked_at timestamptz,
      check ((kind = 'subscription') = (plan_id is not null and subscription_id is not null and valid_until is not null))
    );
    create index entitlements_user_plan on entitlements (user_id, plan_id) where plan_id is not null;
    create index entitlements_subscription on entitlements (subscription_id);

    -- What a single or bundle held when it was bought, which stays the buyer's whatever the creator changes later.
    create table entitlement_media (
      user_id uuid not null references users (id) on delete cascade,
      media_id uuid not null references media (id),
      entitlement_id uuid not null references entitlements (id) on delete cascade,
      granted_at timestamptz not null,
      primary key (user_id, media_id, entitlement_id)
    );
    create index entitlement_media_newest on entitlement_media (user_id, granted_at desc, media_id desc);
    create index entitlement_media_media on entitlement_media (media_id);
    create index entitlement_media_entitlement on entitlement_media (entitlement_id);
  `.execute(db)
}
