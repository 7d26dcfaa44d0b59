import { type Kysely, sql } from 'kysely'

/**
 * Few grants are revoked: an index of those alone leaves them out, instead of reading each grant. The database ensures
 * that a revoked grant names the same person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table entitlements add constraint entitlements_owner unique (id, user_id);
    alter table entitlement_media
      add constraint entitlement_media_owner foreign key (entitlement_id, user_id)
        references entitlements (id, user_id) on delete cascade,
      drop constraint entitlement_media_entitlement_id_fkey;
    create or replace view unlocked_media as
      select user_id, media_id, version_id, entitlement_id, granted_at
      from entitlement_media
      where not exists (
        select from entitlements
        where entitlements.user_id = entitlement_media.user_id and entitlements.id = entitlement_media.entitlement_id
          and entitlements.revoked_at is not null
      );
  `.execute(db)
}
