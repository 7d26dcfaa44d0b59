import { type Kysely, sql } from 'kysely'

/** Offers, whom they are for, and their redemptions, which the database counts and ties to the orders that pay for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeOffers(db)
  await agreeOnOffers(db)
  await countRedemptions(db)
}

async function makeOffers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table offers (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      type text not null check (type in ('freeTrial', 'discountTrial', 'freeBundle', 'discountBundle', 'freeSingles', 'discountSingles')),
      plan_id uuid references subscription_plans (id),
      subscription_days integer check (subscription_days > 0),
      bundle_id uuid references bundles (id),
      price_cents integer check (price_cents > 0),
      available_to_all boolean not null,
      -- 0: any number of people.
      redemptions_allowed integer not null default 0 check (redemptions_allowed >= 0),
      -- How many were redeemed or wait for their payment; kept by a trigger.
      redemptions_taken integer not null default 0,
      views integer not null default 0,
      expires_at timestamptz,
      created_at timestamptz not null,
      ended_at timestamptz,
      deleted_at timestamptz,
      constraint offers_redemptions_left check (redemptions_allowed = 0 or redemptions_taken <= redemptions_allowed),
      check ((type in ('freeTrial', 'discountTrial')) = (plan_id is not null and subscription_days is not null)),
      check (plan_id is null or bundle_id is null),
      check ((type in ('freeBundle', 'discountBundle')) = (bundle_id is not null)),
      check ((type like 'discount%') = (price_cents is not null)),
      check (deleted_at is null or ended_at is not null)
    );
    create index offers_creator on offers (creator_id, created_at desc, id desc) where deleted_at is null;
    create index offers_plan on offers (plan_id) where plan_id is not null;
    create index offers_bundle on offers (bundle_id) where bundle_id is not null;

    -- What an offer of singles holds.
    create table offer_media (
      offer_id uuid not null references offers (id) on delete cascade,
      media_id uuid not null references media (id) on delete cascade,
      position integer not null,
      primary key (offer_id, media_id)
    );
    create index offer_media_media on offer_media (media_id);

    -- Whom an offer is for that isn't for everyone.
    create table offer_recipients (
      offer_id uuid not null references offers (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      primary key (offer_id, user_id)
    );
    create index offer_recipients_user on offer_recipients (user_id);
  `.execute(db)
}

/** An order remembers the offer and its terms; a subscription's months are counted from the end of its trial. */
async function agreeOnOffers(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders
      add column offer_id uuid references offers (id) on delete set null,
      -- Of a trial that is paid: its days, and what each month after them costs.
      add column trial_days integer check (trial_days > 0),
      add column renewal_cents integer check (renewal_cents > 0),
      add constraint orders_trial check ((trial_days is null) = (renewal_cents is null));
    create index orders_offer on orders (offer_id) where offer_id is not null;

    -- The period that ends at the anchor: 0, or 1 where the first period was a trial.
    alter table subscriptions add column anchor_period integer not null default 0 check (anchor_period in (0, 1));

    alter table entitlements drop constraint entitlements_source_kind_check,
      add constraint entitlements_source_kind_check
        check (source_kind in ('purchase', 'subscription', 'manual', 'offer'));
  `.execute(db)
}

async function countRedemptions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table offer_redemptions (
      id uuid primary key default uuidv7(),
      offer_id uuid not null references offers (id) on delete cascade,
      fan_id uuid not null references users (id) on delete cascade,
      -- What pays for a discount; its outcome decides this redemption.
      order_id uuid unique references orders (id),
      reserved_at timestamptz not null,
      redeemed_at timestamptz,
      released_at timestamptz,
      check (redeemed_at is null or released_at is null),
      check (order_id is not null or redeemed_at is not null)
    );
    create unique index offer_redemptions_once on offer_redemptions (offer_id, fan_id) where released_at is null;
    create index offer_redemptions_fan on offer_redemptions (fan_id);

    create function count_offer_redemption() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        update offers set redemptions_taken = redemptions_taken - 1 where id = new.offer_id;
        return null;
      end if;
      update offers set redemptions_taken = redemptions_taken + 1
        where id = new.offer_id and ended_at is null and (expires_at is null or expires_at > new.reserved_at);
      if not found then
        raise exception 'offer % is over', new.offer_id
          using errcode = 'integrity_constraint_violation', constraint = 'offers_open';
      end if;
      return null;
    end $$;
    create trigger offer_redemptions_taken after insert on offer_redemptions
      for each row execute function count_offer_redemption();
    create trigger offer_redemptions_released after update of released_at on offer_redemptions
      for each row when (old.released_at is null and new.released_at is not null) execute function count_offer_redemption();

    create function settle_offer_redemption() returns trigger language plpgsql as $$
    begin
      if new.status = 'paid' then
        update offer_redemptions set redeemed_at = new.paid_at where order_id = new.id;
      else
        update offer_redemptions set released_at = new.closed_at where order_id = new.id;
      end if;
      return null;
    end $$;
    create trigger orders_settle_offer after update of status on orders
      for each row when (new.offer_id is not null and old.status = 'open' and new.status <> 'open')
      execute function settle_offer_redemption();

    create function require_offer_redemption() returns trigger language plpgsql as $$
    begin
      if not exists (
        select from offer_redemptions where order_id = new.id and offer_id = new.offer_id and fan_id = new.buyer_id
      ) then
        raise exception 'order % takes an offer without redeeming it', new.id
          using errcode = 'integrity_constraint_violation', constraint = 'orders_redeem_offer';
      end if;
      return null;
    end $$;
    create constraint trigger orders_redeem_offer after insert on orders deferrable initially deferred
      for each row when (new.offer_id is not null) execute function require_offer_redemption();

    create function require_redeemed_offer() returns trigger language plpgsql as $$
    begin
      if not exists (
        select from offer_redemptions
        where id = new.source_id and fan_id = new.user_id and order_id is null and redeemed_at is not null
      ) then
        raise exception 'nobody redeemed what % is from', new.id
          using errcode = 'integrity_constraint_violation', constraint = 'entitlements_redeemed';
      end if;
      return null;
    end $$;
    create constraint trigger entitlements_redeemed after insert on entitlements deferrable initially deferred
      for each row when (new.source_kind = 'offer') execute function require_redeemed_offer();
  `.execute(db)
}
