import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'

/**
 * Counts the fans of every creator, and from them how popular each item of discover is (docs/decisions/033-popular.md).
 * Items that somebody is editing are left for the next time, so that nobody waits for a count.
 */
export async function countPopularity(db: Tx): Promise<void> {
  await sql`
    with counted as (
      select creator_popularity.creator_id, count(fan_id)::integer as fans
      from creator_popularity left join (
        select following_id as creator_id, follower_id as fan_id from follows
        union select creator_id, fan_id from subscriptions where status <> 'incomplete'
        union select creator_id, buyer_id from purchases where status in ('captured', 'disputed')
      ) as fan on fan.creator_id = creator_popularity.creator_id
      group by creator_popularity.creator_id
    )
    update creator_popularity set fans = counted.fans from counted
    where counted.creator_id = creator_popularity.creator_id and counted.fans <> creator_popularity.fans
  `.execute(db)
  // In steps of a tenth of a power of e, so that one more item moves few of those behind it.
  await sql`
    with placed as (
      select id, creator_id, row_number() over (partition by creator_id order by created_at desc, id desc) as place
      from media
      where deleted_at is null and quarantined_at is null and show_in_search and not must_unlock and not direct_only
    ), counted as (
      select placed.id, round(10 * ln((1 + fans)::float8 / place))::numeric as popularity
      from placed join creator_popularity using (creator_id)
    ), changed as (
      select media.id, counted.popularity from media join counted on counted.id = media.id
      where media.popularity <> counted.popularity
      for no key update of media skip locked
    )
    update media set popularity = changed.popularity from changed where changed.id = media.id
  `.execute(db)
}
