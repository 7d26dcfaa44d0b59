import { type RawBuilder, sql } from 'kysely'

/**
 * For rows of `scheduled_posts as item`, the milliseconds to the nearest post before or after that counts and meets the
 * condition; null unless the row is still to come. Each reads two entries of an index that ends with `up_at`.
 */
function msToNearest(matches: RawBuilder<unknown>): RawBuilder<number | null> {
  const others = sql`from scheduled_posts as other where ${matches} and other.id <> item.id
    and other.state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`
  return sql<number | null>`case when item.state in ('scheduled', 'waiting') then extract(epoch from least(
    (select other.up_at - item.post_at ${others} and other.up_at >= item.post_at order by other.up_at limit 1),
    (select item.post_at - other.up_at ${others} and other.up_at < item.post_at order by other.up_at desc limit 1)))::float8 * 1000 end`
}

/** To the nearest post of the same picture in the same subreddit. */
const samePictureMs = msToNearest(sql`other.user_id = item.user_id
  and other.media_key = item.media_key and other.subreddit_id = item.subreddit_id`)

/** To the nearest post of the same account. */
const accountMs = msToNearest(sql`other.account_id = item.account_id`)

/**
 * When the nearest posts in the same subreddit are that can break its frequency: as many before and after as it allows,
 * within the time that it counts.
 */
const there = (() => {
  const window = sql`subreddits.post_interval * case subreddits.post_unit when 'days' then interval '24 hours' else interval '1 hour' end`
  const others = sql`select other.up_at from scheduled_posts as other
    where other.user_id = item.user_id and other.subreddit_id = item.subreddit_id and other.id <> item.id
      and other.state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`
  return sql<
    Date[]
  >`case when item.state in ('scheduled', 'waiting') and subreddits.post_max is not null then array(
    (${others} and other.up_at >= item.post_at and other.up_at < item.post_at + ${window}
      order by other.up_at limit subreddits.post_max) union all
    (${others} and other.up_at < item.post_at and other.up_at > item.post_at - ${window}
      order by other.up_at desc limit subreddits.post_max)) else '{}' end`
})()

/** What decides which warning rows of `scheduled_posts as item`, joined with `subreddits`, have (`clashOf`). */
export const clashFacts = [
  samePictureMs.as('samePictureMs'),
  accountMs.as('accountMs'),
  there.as('there'),
  sql.ref<number | null>('subreddits.post_max').as('max'),
  sql.ref<number | null>('subreddits.post_interval').as('interval'),
  sql.ref<'hours' | 'days' | null>('subreddits.post_unit').as('unit'),
]
