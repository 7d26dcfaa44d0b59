import { type Kysely, sql } from 'kysely'

/**
 * Who creates nothing is found by everybody only if they say so (docs/product.md, Who finds whom): an index of those whom
 * everybody finds, by name and by letters, and of a creator's fans, by whom they are looked up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column discoverable boolean not null default false;
    create index users_public_directory on users ((lower(username) collate "C"))
      where deletion_requested_at is null and (is_creator or discoverable);
    create index users_public_search on users using gin (lower(username) gin_trgm_ops)
      where deletion_requested_at is null and (is_creator or discoverable);
    create index follows_fans on follows (following_id, follower_id);
    drop index follows_following;
    create index purchases_fans on purchases (creator_id, buyer_id) where status in ('captured', 'disputed');
    create index subscriptions_fans on subscriptions (creator_id, fan_id) where status <> 'incomplete';
  `.execute(db)
}
