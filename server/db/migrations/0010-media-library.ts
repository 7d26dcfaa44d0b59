import { type Kysely, sql } from 'kysely'

/** Tags, the library's own order, uploads in chunks, replaced files, people depicted, unlocks by the operator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tags (
      id uuid primary key default uuidv7(),
      name text not null check (name <> ''),
      created_by uuid references users (id) on delete set null,
      -- Discoverable items with this tag, counted by a job.
      uses integer not null default 0,
      created_at timestamptz not null
    );
    create unique index tags_name on tags (lower(name));
    create index tags_letters on tags using gin (lower(name) gin_trgm_ops);
    create index tags_used on tags (uses desc, id);
    create index tags_creator on tags (created_by) where created_by is not null;

    create table performers (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      name text not null check (name <> ''),
      created_at timestamptz not null
    );
    create unique index performers_name on performers (creator_id, lower(name));

    -- An item's position in the library; there is always a value between two others.
    alter table media add column rank numeric;
    -- The prefix of its files in the store; a replaced file gets a new one.
    alter table media add column storage_id uuid;
    alter table media add column tag_ids uuid[] not null default '{}';
    -- Who is depicted: performers of the creator, or the creator's own id; nobody named means the creator alone.
    alter table media add column performer_ids uuid[] not null default '{}';
    -- When the files of a deleted item that nobody bought were removed.
    alter table media add column purged_at timestamptz;
    update media set rank = extract(epoch from created_at), storage_id = id;
    alter table media alter column rank set not null, alter column storage_id set not null;
    create function place_media() returns trigger language plpgsql as $$
    begin
      new.rank := coalesce(new.rank, extract(epoch from new.created_at));
      new.storage_id := coalesce(new.storage_id, new.id);
      return new;
    end $$;
    create trigger media_placed before insert on media for each row execute function place_media();

    drop index media_library, media_profile, media_store;
    create index media_library on media (creator_id, rank desc, id desc) where deleted_at is null;
    create index media_profile on media (creator_id, rank desc, id desc) where deleted_at is null and not direct_only;
    create index media_store on media (creator_id, rank desc, id desc) where deleted_at is null and show_in_store;
    create index media_newest on media (created_at desc, id desc) where deleted_at is null;
    create index media_contents on media (creator_id, sha256) where deleted_at is null and sha256 is not null;
    create index media_deleted on media (deleted_at) where deleted_at is not null and purged_at is null;

    -- Written by the trigger alone: which items have a tag, in the order in which discover shows them.
    create table media_tags (
      media_id uuid not null references media (id) on delete cascade,
      tag_id uuid not null references tags (id),
      creator_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      discoverable boolean not null,
      primary key (media_id, tag_id)
    );
    create index media_tags_discover on media_tags (tag_id, created_at desc, media_id desc) where discoverable;
    create index media_tags_library on media_tags (creator_id, tag_id, media_id);
    create function index_media_tags() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from media_tags where media_id = new.id and tag_id <> all (new.tag_ids);
      end if;
      insert into media_tags (media_id, tag_id, creator_id, created_at, discoverable)
      select distinct new.id, tag_id, new.creator_id, new.created_at,
        new.deleted_at is null and new.show_in_search and not new.must_unlock and not new.direct_only
      from unnest(new.tag_ids) as tag_id
      on conflict (media_id, tag_id) do update set discoverable = excluded.discoverable
        where media_tags.discoverable <> excluded.discoverable;
      return null;
    end $$;
    create trigger media_tagged after insert on media
      for each row when (new.tag_ids <> '{}') execute function index_media_tags();
    create trigger media_retagged after update of tag_ids, show_in_search, must_unlock, direct_only, deleted_at on media
      for each row when (new.tag_ids <> '{}' or old.tag_ids <> '{}') execute function index_media_tags();

    alter table uploads add column kind text not null default 'signed' check (kind in ('signed', 'chunked'));
    -- Chunks without an upload's id belong together by session and name (docs/product.md, Media).
    alter table uploads add column session_id uuid;
    alter table uploads add column total_chunks integer check (total_chunks > 0);
    alter table uploads add column replaces_media_id uuid references media (id) on delete cascade;
    alter table uploads add check ((kind = 'chunked') = (total_chunks is not null));
    create unique index uploads_by_name on uploads (session_id, file_name)
      where kind = 'chunked' and status = 'awaiting' and session_id is not null;
    create index uploads_replacing on uploads (replaces_media_id) where replaces_media_id is not null;
    create table upload_chunks (
      upload_id uuid not null references uploads (id) on delete cascade,
      number integer not null check (number >= 0),
      bytes integer not null check (bytes > 0),
      primary key (upload_id, number)
    );

    -- Given by the operator by hand; who and why is in the audit log.
    alter table entitlements drop constraint entitlements_kind_check;
    alter table entitlements add check (kind in ('single', 'bundle', 'subscription', 'manual'));

    alter table profiles add column watermark boolean not null default false;
  `.execute(db)
  await sql`
    insert into tags (name, created_at) select name, now() from unnest(${BASE_TAGS}::text[]) as name
  `.execute(db)
}

/** The base set: common subjects of photos and videos. */
const BASE_TAGS = [
  'Art',
  'Backstage',
  'Beach',
  'Beauty',
  'Behind the scenes',
  'Black and white',
  'Boudoir',
  'City',
  'Close-up',
  'Comedy',
  'Cooking',
  'Cosplay',
  'Couples',
  'Dance',
  'Fashion',
  'Feet',
  'Fitness',
  'Glamour',
  'Hair',
  'Home',
  'Interview',
  'Lifestyle',
  'Lingerie',
  'Long hair',
  'Make-up',
  'Men',
  'Mirror',
  'Morning',
  'Music',
  'Nature',
  'Night',
  'Outdoor',
  'Outfit',
  'Painting',
  'Photography',
  'Portrait',
  'Retro',
  'Selfie',
  'Shower',
  'Slow motion',
  'Smoking',
  'Sport',
  'Stockings',
  'Studio',
  'Summer',
  'Swimwear',
  'Talking',
  'Tattoos',
  'Teaser',
  'Timelapse',
  'Travel',
  'Uniform',
  'Vintage',
  'Voice',
  'Winter',
  'Women',
  'Workout',
  'Yoga',
]
