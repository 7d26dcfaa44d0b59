import { type RawBuilder, sql } from 'kysely'

/**
 * Of rows of `scheduled_posts as item`, how far in milliseconds the nearest post before or after is that counts and is so;
 * null of what isn't still to come itself. Each is two steps on an index that ends with `up_at`.
 */
function msToNearest(isSo: RawBuilder<unknown>): RawBuilder<number | null> {
  const others = sql`from scheduled_posts as other where ${isSo} and other.id <> item.id
    and other.state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`
  return sql<number | null>`case when item.state in ('scheduled', 'waiting') then extract(epoch from least(
    (select other.up_at - item.post_at ${others} and other.up_at >= item.post_at order by other.up_at limit 1),
    (select item.post_at - other.up_at ${others} and other.up_at < item.post_at order by other.up_at desc limit 1)))::float8 * 1000 end`
}

/** To the nearest post of the same picture in the same subreddit. */
export const samePictureMs = msToNearest(sql`other.user_id = item.user_id
  and other.media_key = item.media_key and other.subreddit_id = item.subreddit_id`)

/** To the nearest post of the same account. */
export const accountMs = msToNearest(sql`other.account_id = item.account_id`)
