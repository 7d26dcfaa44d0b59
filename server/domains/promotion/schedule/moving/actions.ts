import { sql } from 'kysely'
import { MAX_MOVED_ITEMS } from '../../../../../contract/promotion.ts'
import type { Tx } from '../../../../db/client.ts'
import { lockQueue } from '../queue/actions.ts'

/** An item and its time. */
type Placed = { id: string; post_at: Date }

/**
 * Moves what is scheduled between two moments in one step, days by the clock of a time zone; nothing is moved into the past.
 * Answers how many, and when each was before: none where too many were moved.
 */
export async function moveItems(
  tx: Tx,
  of: {
    userId: string
    from: Date
    to: Date
    days: number
    timeZone: string
    minutes: number
    now: Date
  },
): Promise<{ moved: number; items: Placed[] }> {
  const { userId, from, to, days, timeZone, minutes, now } = of
  await lockQueue(tx, userId)
  // A time that comes twice would become the second on its way there and back.
  const day =
    days === 0
      ? sql`post_at`
      : sql`(post_at at time zone ${timeZone}::text + ${days}::integer * interval '1 day') at time zone ${timeZone}::text`
  const { rows } = await sql<Placed>`
    with placed as (
      select id, post_at, ${day} + ${minutes}::integer * interval '1 minute' as next_at from scheduled_posts
      where user_id = ${userId} and state = 'scheduled' and post_at >= ${from} and post_at < ${to}
      for update
    )
    update scheduled_posts as item set post_at = placed.next_at from placed
    where item.id = placed.id and placed.next_at > ${now}
    returning item.id, placed.post_at`.execute(tx)
  return { moved: rows.length, items: rows.length > MAX_MOVED_ITEMS ? [] : rows }
}

/** Gives items that are still scheduled these times, unless they are past. Answers how many. */
export async function moveBack(
  tx: Tx,
  { userId, items, now }: { userId: string; items: readonly Placed[]; now: Date },
): Promise<number> {
  await lockQueue(tx, userId)
  const { numAffectedRows } = await sql`
    update scheduled_posts as item set post_at = placed.post_at
    from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ post_at }) => post_at)}::timestamptz[])
      as placed (id, post_at)
    where item.id = placed.id and item.user_id = ${userId} and item.state = 'scheduled'
      and placed.post_at > ${now}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
