import { type Kysely, sql } from 'kysely'

/**
 * How many photos and videos each subscription and bundle holds, kept by triggers: counting them each time a locked
 * item is shown costs more than everything else about it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table offer_contents (
      -- A subscription's or a bundle's id.
      offer_id uuid primary key,
      photos integer not null default 0,
      videos integer not null default 0,
      video_seconds bigint not null default 0
    );

    create function is_offered(item media) returns boolean language sql immutable as $$
      select item.deleted_at is null and item.quarantined_at is null and not item.direct_only
    $$;

    -- The items stay as they are until the end, so that whoever changes them meanwhile sees what was put in or taken out.
    create function count_offer_contents(offer uuid, media_ids uuid[], sign integer) returns void language plpgsql as $$
    begin
      perform from media where id = any (media_ids) order by id for share;
      insert into offer_contents as kept (offer_id, photos, videos, video_seconds)
      select offer,
        sign * count(*) filter (where media.type = 'image'),
        sign * count(*) filter (where media.type = 'video'),
        sign * coalesce(sum(media.duration_seconds) filter (where media.type = 'video'), 0)
      from media where media.id = any (media_ids) and is_offered(media)
      on conflict (offer_id) do update set
        photos = kept.photos + excluded.photos,
        videos = kept.videos + excluded.videos,
        video_seconds = kept.video_seconds + excluded.video_seconds;
    end $$;

    create function count_changed_item() returns trigger language plpgsql as $$
    declare
      before integer := is_offered(old)::integer;
      after integer := is_offered(new)::integer;
    begin
      update offer_contents set
        photos = photos + after * (new.type = 'image')::integer - before * (old.type = 'image')::integer,
        videos = videos + after * (new.type = 'video')::integer - before * (old.type = 'video')::integer,
        video_seconds = video_seconds
          + after * (new.type = 'video')::integer * coalesce(new.duration_seconds, 0)
          - before * (old.type = 'video')::integer * coalesce(old.duration_seconds, 0)
      where offer_id in (
        select plan_id from subscription_plan_media where media_id = new.id
        union all select bundle_id from bundle_media where media_id = new.id
      );
      return null;
    end $$;
    create trigger media_counted
      after update of deleted_at, quarantined_at, direct_only, type, duration_seconds on media for each row
      when ((is_offered(old), old.type, old.duration_seconds) is distinct from (is_offered(new), new.type, new.duration_seconds))
      execute function count_changed_item();
  `.execute(db)
  for (const [table, offerId] of [
    ['subscription_plan_media', 'plan_id'],
    ['bundle_media', 'bundle_id'],
  ] as const) {
    const count = (sign: number) => sql`
      perform count_offer_contents(offer, media_ids, ${sql.lit(sign)})
      from (select ${sql.ref(offerId)} as offer, array_agg(media_id) as media_ids from changed group by 1 order by 1) as each`
    await sql`
      create function ${sql.ref(`${table}_counted`)}() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then ${count(1)}; else ${count(-1)}; end if;
        return null;
      end $$;
      create trigger ${sql.ref(`${table}_added`)} after insert on ${sql.table(table)}
        referencing new table as changed for each statement execute function ${sql.ref(`${table}_counted`)}();
      create trigger ${sql.ref(`${table}_removed`)} after delete on ${sql.table(table)}
        referencing old table as changed for each statement execute function ${sql.ref(`${table}_counted`)}();
      select count_offer_contents(offer, media_ids, 1)
      from (select ${sql.ref(offerId)} as offer, array_agg(media_id) as media_ids from ${sql.table(table)} group by 1) as each
    `.execute(db)
  }
}
