import { type Kysely, sql } from 'kysely'

/**
 * Discover by what is popular and by photos or videos, and the creators who have published something
 * (docs/decisions/033-popular.md). Each way to list has its index, for items and for a tag's items.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table creator_popularity (
      creator_id uuid primary key references users (id) on delete cascade,
      -- How many people follow, subscribed or bought, counted by a job.
      fans integer not null default 0
    );
    create index creator_popularity_order on creator_popularity (fans desc, creator_id desc);
    insert into creator_popularity (creator_id) select distinct creator_id from media where published;
    -- Up to which creator a run has counted; null before the first of them.
    create table popularity_run (only_one boolean primary key default true check (only_one), counted_to uuid);
    insert into popularity_run default values;
    create function list_creator() returns trigger language plpgsql as $$
    begin
      insert into creator_popularity (creator_id) values (new.creator_id) on conflict do nothing;
      return null;
    end $$;
    create trigger creator_published after insert on media
      for each row when (new.published) execute function list_creator();
    create trigger creator_published_later after update on media
      for each row when (new.published and not old.published) execute function list_creator();

    -- Counted by a job.
    alter table media add column popularity numeric not null default 0;
    create index media_discover_type on media (type, created_at desc, id desc) include (creator_id)
      where deleted_at is null and quarantined_at is null and show_in_search and not must_unlock and not direct_only;
    create index media_popular on media (popularity desc, id desc) include (creator_id)
      where deleted_at is null and quarantined_at is null and show_in_search and not must_unlock and not direct_only;
    create index media_popular_type on media (type, popularity desc, id desc) include (creator_id)
      where deleted_at is null and quarantined_at is null and show_in_search and not must_unlock and not direct_only;

    alter table media_tags add column type text, add column popularity numeric not null default 0;
    update media_tags set type = media.type from media where media.id = media_id;
    alter table media_tags alter column type set not null;
    create index media_tags_type on media_tags (tag_id, type, created_at desc, media_id desc) include (creator_id)
      where discoverable;
    create index media_tags_popular on media_tags (tag_id, popularity desc, media_id desc) include (creator_id)
      where discoverable;
    create index media_tags_popular_type on media_tags (tag_id, type, popularity desc, media_id desc)
      include (creator_id) where discoverable;

    create or replace function index_media_tags() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from media_tags where media_id = new.id and tag_id <> all (new.tag_ids);
      end if;
      insert into media_tags (media_id, tag_id, creator_id, created_at, type, popularity, discoverable)
      select distinct new.id, tag_id, new.creator_id, new.created_at, new.type, new.popularity,
        new.deleted_at is null and new.quarantined_at is null and new.show_in_search and not new.must_unlock
          and not new.direct_only
      from unnest(new.tag_ids) as tag_id
      on conflict (media_id, tag_id) do update
        set discoverable = excluded.discoverable, type = excluded.type, popularity = excluded.popularity
        where (media_tags.discoverable, media_tags.type, media_tags.popularity)
          <> (excluded.discoverable, excluded.type, excluded.popularity);
      return null;
    end $$;
    drop trigger media_retagged on media;
    create trigger media_retagged
      after update of tag_ids, show_in_search, must_unlock, direct_only, deleted_at, quarantined_at, type, popularity
      on media for each row when (new.tag_ids <> '{}' or old.tag_ids <> '{}') execute function index_media_tags();
  `.execute(db)
}
