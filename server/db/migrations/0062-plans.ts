import { type Kysely, sql } from 'kysely'

/**
 * A subscription may include all locked media of its creator, now and from now on. Triggers put items in and take them
 * out, so that no writer forgets it (docs/decisions/048-self-filling-plans.md). Subscriptions and bundles have a
 * description and a cover, and can be retired: no longer sold, but kept by who has them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscription_plans add column includes_all boolean not null default false;

    -- What a creator took out of such a subscription by hand.
    create table subscription_plan_exclusions (
      plan_id uuid not null references subscription_plans (id) on delete cascade,
      media_id uuid not null references media (id) on delete cascade,
      primary key (plan_id, media_id)
    );
    create index subscription_plan_exclusions_media on subscription_plan_exclusions (media_id);

    create function fills_plans(item media) returns boolean language sql immutable as $$
      select item.must_unlock and is_offered(item)
    $$;

    -- Deleted and taken down items stay where they are, for when they come back; what is no longer locked goes.
    create function fill_plans() returns trigger language plpgsql as $$
    begin
      -- A plan that is being filled waits for this item, or this item for the plan.
      perform pg_advisory_xact_lock_shared(hashtextextended('plans ' || new.creator_id, 0));
      if new.must_unlock then
        insert into subscription_plan_media (plan_id, media_id, position)
        select plan.id, new.id, 0 from subscription_plans as plan
        where plan.creator_id = new.creator_id and plan.includes_all and plan.deleted_at is null
          and not exists (
            select from subscription_plan_exclusions as out where out.plan_id = plan.id and out.media_id = new.id
          )
        order by plan.id
        on conflict do nothing;
      else
        delete from subscription_plan_media as held using subscription_plans as plan
        where held.media_id = new.id and plan.id = held.plan_id and plan.includes_all;
      end if;
      return null;
    end $$;
    create trigger media_fills_plans after insert on media for each row
      when (fills_plans(new)) execute function fill_plans();
    create trigger media_refills_plans
      after update of must_unlock, direct_only, deleted_at, quarantined_at on media for each row
      when ((fills_plans(new) and not fills_plans(old)) or (old.must_unlock and not new.must_unlock))
      execute function fill_plans();
  `.execute(db)
  for (const table of ['subscription_plans', 'bundles'])
    await sql`
      alter table ${sql.table(table)}
        add column description text not null default '' check (length(description) <= 500),
        add column cover_media_id uuid references media (id) on delete set null,
        add column retired_at timestamptz;
      create index ${sql.ref(`${table}_cover`)} on ${sql.table(table)} (cover_media_id) where cover_media_id is not null
    `.execute(db)
  await sql`create index orders_item on orders (item_id) where kind in ('subscription', 'bundle')`.execute(db)
}
