import { sql } from 'kysely'
import type { Clash, SubmissionState } from '../../../../../contract/submissions.ts'
import type { Db } from '../../../../db/client.ts'
import { findQueue } from '../data.ts'
import { clashOf, type Nearest } from '../rules.ts'

const TO_COME: readonly SubmissionState[] = ['scheduled', 'waiting']

/** When a post of the timeline went up, or is to. */
const at = sql`coalesce(other.posted_at, other.post_at)`

/** How far in time an item is from the nearest other post that counts and is so, before and after it. */
const nearest = (isSo: ReturnType<typeof sql>) => {
  const others = sql`from scheduled_posts as other where ${isSo} and other.id <> item.id
    and other.state in ('scheduled', 'waiting', 'submitting', 'posted', 'unknown')`
  return sql`extract(epoch from least(
    (select ${at} - item.post_at ${others} and ${at} >= item.post_at order by ${at} limit 1),
    (select item.post_at - ${at} ${others} and ${at} < item.post_at order by ${at} desc limit 1)))::float8 * 1000`
}

/** What is unwise about the times of somebody's items, by the item's id; only what is still to come is marked. */
export async function findClashes(
  db: Db,
  userId: string,
  items: readonly { id: string; state: SubmissionState }[],
): Promise<Map<string, Clash | null>> {
  const ids = items.filter(({ state }) => TO_COME.includes(state)).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const { gap_minutes: gapMinutes } = await findQueue(db, userId)
  const { rows } = await sql<Nearest & { id: string }>`
    select item.id,
      ${nearest(sql`other.user_id = item.user_id and other.media_key = item.media_key
        and other.subreddit_id = item.subreddit_id`)} as "samePictureMs",
      ${nearest(sql`other.account_id = item.account_id`)} as "accountMs"
    from scheduled_posts as item where item.id = any(${ids}::uuid[]) and item.user_id = ${userId}`.execute(db)
  return new Map(rows.map(({ id, ...distances }) => [id, clashOf(distances, gapMinutes)]))
}
