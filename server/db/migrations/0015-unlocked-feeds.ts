import { type Kysely, sql } from 'kysely'

/** What the lists of unlocked items are read by: a plan's items by their age, and who owns an item by both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The item's own created_at, which never changes: what a fan may see is listed by it, plan by plan.
    alter table subscription_plan_media add column media_created_at timestamptz;
    update subscription_plan_media set media_created_at = media.created_at from media where media.id = media_id;
    alter table subscription_plan_media alter column media_created_at set not null;
    create function date_plan_media() returns trigger language plpgsql as $$
    begin
      new.media_created_at := (select created_at from media where id = new.media_id);
      return new;
    end $$;
    create trigger plan_media_dated before insert on subscription_plan_media
      for each row execute function date_plan_media();
    create index subscription_plan_media_newest
      on subscription_plan_media (plan_id, media_created_at desc, media_id desc);

    -- An item that thousands bought is looked up for one person in one step, whichever index the planner takes.
    create index entitlement_media_owners on entitlement_media (media_id, user_id);
    drop index entitlement_media_media;
  `.execute(db)
}
