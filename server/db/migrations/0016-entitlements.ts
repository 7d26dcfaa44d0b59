import { type Kysely, sql } from 'kysely'

/** Versions of media files, grants with their source, what an order holds, takedowns, cards to delete at the gateway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addVersions(db)
  await addTakedowns(db)
  await nameSources(db)
  await addPurchaseItems(db)
  await addGatewayDuties(db)
  // Last, as no table with checks that wait for the commit can be altered.
  await sql`
    alter table media add constraint media_current_version foreign key (id, version_id)
      references media_versions (media_id, id) deferrable initially deferred`.execute(db)
}

/** The item's own columns are its current version; every version it ever had stays as a row for those who bought it. */
async function addVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_versions (
      id uuid primary key,
      media_id uuid not null references media (id) on delete cascade,
      -- The prefix of its files in the store.
      storage_id uuid not null,
      type text not null check (type in ('image', 'video')),
      red_gif text not null,
      duration_seconds integer,
      width integer not null,
      height integer not null,
      thumbhash text not null,
      variants jsonb not null,
      bytes bigint not null,
      sha256 text,
      created_at timestamptz not null,
      -- When another version took its place.
      replaced_at timestamptz,
      -- When its files were removed.
      purged_at timestamptz,
      unique (media_id, id)
    );
    create index media_versions_storage on media_versions (storage_id);
    create index media_versions_replaced on media_versions (replaced_at) where replaced_at is not null and purged_at is null;

    alter table media add column version_id uuid;
    -- Since when it has its current version.
    alter table media add column versioned_at timestamptz;
    update media set version_id = id, versioned_at = created_at;
    alter table media alter column version_id set not null, alter column versioned_at set not null;
    insert into media_versions (id, media_id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash,
        variants, bytes, sha256, created_at, purged_at)
      select version_id, id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash,
        variants, bytes, sha256, created_at, purged_at from media;

    create or replace function place_media() returns trigger language plpgsql as $$
    begin
      new.rank := coalesce(new.rank, extract(epoch from new.created_at));
      new.storage_id := coalesce(new.storage_id, new.id);
      new.version_id := coalesce(new.version_id, new.id);
      new.versioned_at := coalesce(new.versioned_at, new.created_at);
      return new;
    end $$;

    create function record_media_version() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        update media_versions set replaced_at = new.versioned_at where id = old.version_id and id <> new.version_id;
      end if;
      insert into media_versions (id, media_id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash,
          variants, bytes, sha256, created_at, purged_at)
        values (new.version_id, new.id, new.storage_id, new.type, new.red_gif, new.duration_seconds, new.width,
          new.height, new.thumbhash, new.variants, new.bytes, new.sha256, new.versioned_at, new.purged_at)
      on conflict (id) do update set storage_id = excluded.storage_id, type = excluded.type, red_gif = excluded.red_gif,
          duration_seconds = excluded.duration_seconds, width = excluded.width, height = excluded.height,
          thumbhash = excluded.thumbhash, variants = excluded.variants, bytes = excluded.bytes, sha256 = excluded.sha256,
          purged_at = excluded.purged_at
        where media_versions.media_id = excluded.media_id;
      return null;
    end $$;
    create trigger media_version_added after insert on media for each row execute function record_media_version();
    create trigger media_version_changed
      after update of version_id, storage_id, type, red_gif, duration_seconds, width, height, thumbhash, variants, bytes,
        sha256, purged_at on media
      for each row execute function record_media_version();
  `.execute(db)
}

/** Who deleted an item, and what an operator took down: columns of the item instead of entries of the log. */
async function addTakedowns(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media add column deleted_by uuid references users (id) on delete set null;
    alter table media add column deletion_reason text not null default '';
    update media set deleted_by = creator_id where deleted_at is not null;
    update media set deleted_by = audit_log.actor_id, deletion_reason = audit_log.reason from audit_log
      where target_kind = 'media' and target_id = media.id::text and action = 'media.deleted'
        and occurred_at = media.deleted_at;
    alter table media add check (deleted_by is null or deleted_at is not null);

    -- Only what its owner deleted can be restored.
    drop index media_restorable;
    create index media_restorable on media (creator_id, deleted_by, deleted_at desc, id desc)
      where deleted_at is not null and purged_at is null;

    alter table media add column quarantined_at timestamptz;
    alter table media add column quarantined_by uuid references users (id) on delete set null;
    alter table media add column quarantine_reason text not null default '';
    alter table media add check (quarantined_by is null or quarantined_at is not null);
    create index media_quarantined on media (quarantined_at) where quarantined_at is not null;

    drop index media_discover;
    create index media_discover on media (created_at desc, id desc) include (creator_id)
      where deleted_at is null and quarantined_at is null and show_in_search and not must_unlock and not direct_only;

    create or replace function index_media_tags() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from media_tags where media_id = new.id and tag_id <> all (new.tag_ids);
      end if;
      insert into media_tags (media_id, tag_id, creator_id, created_at, discoverable)
      select distinct new.id, tag_id, new.creator_id, new.created_at,
        new.deleted_at is null and new.quarantined_at is null and new.show_in_search and not new.must_unlock
          and not new.direct_only
      from unnest(new.tag_ids) as tag_id
      on conflict (media_id, tag_id) do update set discoverable = excluded.discoverable
        where media_tags.discoverable <> excluded.discoverable;
      return null;
    end $$;
    drop trigger media_retagged on media;
    create trigger media_retagged
      after update of tag_ids, show_in_search, must_unlock, direct_only, deleted_at, quarantined_at on media
      for each row when (new.tag_ids <> '{}' or old.tag_ids <> '{}') execute function index_media_tags();

    create or replace function index_media_search() returns trigger language plpgsql as $$
    begin
      if new.deleted_at is not null or new.quarantined_at is not null or not new.show_in_search or new.direct_only then
        delete from media_search where media_id = new.id;
      else
        insert into media_search (media_id, creator_id, created_at, document)
        values (new.id, new.creator_id, new.created_at, media_document(new))
        on conflict (media_id) do update set document = excluded.document
          where media_search.document <> excluded.document;
      end if;
      return null;
    end $$;
    drop trigger media_searched_anew on media;
    create trigger media_searched_anew
      after update of title, description, tag_ids, show_in_search, must_unlock, show_in_store, direct_only, deleted_at,
        quarantined_at
      on media for each row when (new.show_in_search or old.show_in_search) execute function index_media_search();
  `.execute(db)
}

/** A grant names what it comes from, once for each source; what it gives names the version. */
async function nameSources(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions add column purchase_id uuid unique references purchases (id);
    update subscriptions set purchase_id = entitlements.purchase_id from entitlements
      where entitlements.subscription_id = subscriptions.id and entitlements.purchase_id is not null;
    -- Canceled is still paid for until its period ends, when it expires.
    drop index subscriptions_one_live, subscriptions_due;
    create unique index subscriptions_one_live on subscriptions (fan_id, plan_id)
      where status in ('trialing', 'active', 'past_due', 'canceled');
    create index subscriptions_due on subscriptions (current_period_end)
      where status in ('trialing', 'active', 'past_due', 'canceled');

    alter table entitlements add column source_kind text check (source_kind in ('purchase', 'subscription', 'manual'));
    alter table entitlements add column source_id uuid;
    update entitlements set
      source_kind = case kind when 'subscription' then 'subscription' when 'manual' then 'manual' else
        case when purchase_id is null then 'manual' else 'purchase' end end,
      source_id = case when kind = 'subscription' then subscription_id else coalesce(purchase_id, id) end;
    alter table entitlements drop column kind, drop column purchase_id, drop column subscription_id,
      alter column source_kind set not null, alter column source_id set not null,
      add constraint entitlements_source unique (source_kind, source_id),
      add check ((source_kind = 'subscription') = (plan_id is not null and valid_until is not null));

    alter table entitlement_media add column version_id uuid;
    update entitlement_media set version_id = media.version_id from media where media.id = media_id;
    alter table entitlement_media alter column version_id set not null,
      add constraint entitlement_media_version foreign key (media_id, version_id) references media_versions (media_id, id)
        on delete cascade;
    -- Only the erasure of its creator's account removes an item's row, and with it what was granted of it.
    alter table entitlement_media drop constraint entitlement_media_media_id_fkey;
    create index entitlement_media_version on entitlement_media (version_id);
    create index entitlement_media_pinned on entitlement_media (user_id, version_id);

    -- What a person has for good, by every grant that was not taken back.
    create view unlocked_media as
      select entitlement_media.user_id, media_id, version_id, entitlement_id, entitlement_media.granted_at
      from entitlement_media join entitlements on entitlements.id = entitlement_id
      where entitlements.revoked_at is null;
  `.execute(db)
}

/** What was agreed: the items and their versions, fixed when the order was made. */
async function addPurchaseItems(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table purchase_items (
      purchase_id uuid not null references purchases (id) on delete cascade,
      position integer not null,
      -- Both null once the creator's account was erased: then there is nothing left to grant.
      media_id uuid references media (id) on delete set null,
      version_id uuid references media_versions (id) on delete set null,
      primary key (purchase_id, position)
    );
    create index purchase_items_media on purchase_items (media_id);
    create index purchase_items_version on purchase_items (version_id);

    -- What was granted is what was sold; of what never was, what it would have been until now.
    insert into purchase_items (purchase_id, position, media_id, version_id)
      select purchases.id, row_number() over (partition by purchases.id order by bundle_media.position, entitlement_media.media_id) - 1,
        entitlement_media.media_id, entitlement_media.version_id
      from purchases
        join entitlements on entitlements.source_kind = 'purchase' and entitlements.source_id = purchases.id
        join entitlement_media on entitlement_media.entitlement_id = entitlements.id
        left join bundle_media on bundle_media.bundle_id = purchases.item_id and bundle_media.media_id = entitlement_media.media_id
      where purchases.kind in ('single', 'bundle');
    insert into purchase_items (purchase_id, position, media_id, version_id)
      select purchases.id, 0, media.id, media.version_id from purchases join media on media.id = purchases.item_id
      where purchases.kind = 'single' and not exists (select from purchase_items where purchase_id = purchases.id);
    insert into purchase_items (purchase_id, position, media_id, version_id)
      select purchases.id, row_number() over (partition by purchases.id order by bundle_media.position, media.id) - 1, media.id, media.version_id
      from purchases join bundle_media on bundle_media.bundle_id = purchases.item_id join media on media.id = bundle_media.media_id
      where purchases.kind = 'bundle' and not exists (select from purchase_items where purchase_id = purchases.id)
        and (media.deleted_at is null or media.deleted_at >= purchases.created_at) and not media.direct_only;

    create function require_purchase_items() returns trigger language plpgsql as $$
    begin
      if not exists (select from purchase_items where purchase_id = new.id) then
        raise exception 'purchase % holds nothing', new.id
          using errcode = 'integrity_constraint_violation', constraint = 'purchases_hold_items';
      end if;
      return null;
    end $$;
    create constraint trigger purchases_hold_items after insert on purchases deferrable initially deferred
      for each row when (new.kind in ('single', 'bundle')) execute function require_purchase_items();
  `.execute(db)
}

/** What is still to be done at the gateway: charges to refund, customers to delete. */
async function addGatewayDuties(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The gateway refuses to void and to refund it: it waits for the operator.
    alter table purchases add column stuck_at timestamptz;
    create index purchases_stuck on purchases (stuck_at) where stuck_at is not null;

    -- Without a reference to the account, which may be gone.
    create table gateway_deletions (
      customer_id uuid primary key,
      attempts integer not null default 0,
      last_error text,
      requested_at timestamptz not null,
      next_attempt_at timestamptz not null,
      done_at timestamptz
    );
    create index gateway_deletions_due on gateway_deletions (next_attempt_at) where done_at is null;
  `.execute(db)
}
