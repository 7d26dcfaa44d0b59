import { type Kysely, sql } from 'kysely'

/** Uploads, media items, and what creators sell: plans and bundles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table uploads (
      id uuid primary key default uuidv7(),
      owner_id uuid not null references users (id) on delete cascade,
      file_name text not null,
      status text not null check (status in ('awaiting', 'received', 'processing', 'ready', 'failed')),
      progress integer not null default 0 check (progress between 0 and 100),
      refusal text,
      bytes bigint,
      sha256 text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index uploads_owner on uploads (owner_id);
    create index uploads_open on uploads (expires_at) where status <> 'ready';

    create table media (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      type text not null check (type in ('image', 'video')),
      red_gif text not null default '',
      title text not null default '',
      description text not null default '',
      price_cents integer not null default 400 check (price_cents between 0 and 999999999),
      duration_seconds integer check (duration_seconds >= 0),
      width integer not null check (width > 0),
      height integer not null check (height > 0),
      thumbhash text not null,
      variants jsonb not null,
      bytes bigint not null,
      sha256 text,
      show_in_search boolean not null default false,
      reddit_promotion boolean not null default false,
      must_unlock boolean not null default true,
      show_in_store boolean not null default false,
      direct_only boolean not null default false,
      created_at timestamptz not null,
      deleted_at timestamptz,
      check (not direct_only or not (show_in_search or reddit_promotion or must_unlock or show_in_store)),
      check (not reddit_promotion or not (must_unlock or show_in_store)),
      check (not show_in_store or must_unlock)
    );
    create index media_library on media (creator_id, created_at desc, id desc) where deleted_at is null;
    create index media_profile on media (creator_id, created_at desc, id desc) where deleted_at is null and not direct_only;
    create index media_store on media (creator_id, created_at desc, id desc) where deleted_at is null and show_in_store;
    create index media_discover on media (created_at desc, id desc)
      where deleted_at is null and show_in_search and not must_unlock and not direct_only;

    create table subscription_plans (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      title text not null check (title <> ''),
      price_cents integer not null check (price_cents between 0 and 999999999),
      chat_enabled boolean not null default false,
      created_at timestamptz not null,
      deleted_at timestamptz
    );
    create index subscription_plans_creator on subscription_plans (creator_id, created_at) where deleted_at is null;

    create table subscription_plan_media (
      plan_id uuid not null references subscription_plans (id) on delete cascade,
      media_id uuid not null references media (id) on delete cascade,
      position integer not null,
      primary key (plan_id, media_id)
    );
    create index subscription_plan_media_media on subscription_plan_media (media_id);

    create table bundles (
      id uuid primary key default uuidv7(),
      creator_id uuid not null references users (id) on delete cascade,
      title text not null check (title <> ''),
      price_cents integer not null check (price_cents between 0 and 999999999),
      created_at timestamptz not null,
      deleted_at timestamptz
    );
    create index bundles_creator on bundles (creator_id, created_at) where deleted_at is null;

    create table bundle_media (
      bundle_id uuid not null references bundles (id) on delete cascade,
      media_id uuid not null references media (id) on delete cascade,
      position integer not null,
      primary key (bundle_id, media_id)
    );
    create index bundle_media_media on bundle_media (media_id);
  `.execute(db)
}
