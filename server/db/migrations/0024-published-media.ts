import { type Kysely, sql } from 'kysely'

/**
 * A new item is its owner's alone until it is free, in the store, a bundle or a subscription (docs/product.md, Media).
 * Triggers turn it on, so that no writer forgets it; it is never turned off.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media add column published boolean not null default false;
    update media set published = true
      where not must_unlock and not direct_only or show_in_store
        or id in (select media_id from bundle_media)
        or id in (select media_id from subscription_plan_media);
    -- What the update left to be checked at the end would stand in the way of the index.
    set constraints all immediate;

    create function publish_media() returns trigger language plpgsql as $$
    begin
      new.published := new.published or new.show_in_store or not (new.must_unlock or new.direct_only);
      return new;
    end $$;
    create trigger media_published before insert or update of must_unlock, show_in_store, direct_only on media
      for each row execute function publish_media();

    create function publish_added_media() returns trigger language plpgsql as $$
    begin
      update media set published = true where not published and id in (select media_id from added);
      return null;
    end $$;
    create trigger bundle_media_published after insert on bundle_media
      referencing new table as added for each statement execute function publish_added_media();
    create trigger subscription_plan_media_published after insert on subscription_plan_media
      referencing new table as added for each statement execute function publish_added_media();

    create index media_published on media (creator_id, rank desc, id desc)
      where deleted_at is null and not direct_only and published;
  `.execute(db)
}
