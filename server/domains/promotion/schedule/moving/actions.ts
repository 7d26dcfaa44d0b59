import { sql } from 'kysely'
import { MAX_MOVED_ITEMS } from '../../../../../contract/promotion.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { listFacts, type QueueRow } from '../data.ts'
import { lockQueue } from '../queue/actions.ts'
import { daysLater, decideMoves, MINUTE_MS, type MovingItem, type Stayed } from './rules.ts'

/** An item and its time. */
type Placed = { id: string; post_at: Date }

type MovingRow = Omit<MovingItem, 'facts'> & { account_id: string | null; by_hand: boolean }
const MOVING = sql.raw('title, url, flair_id, media_key, subreddit_id, account_id, by_hand')

/**
 * Moves what is scheduled between two moments, days by the clock of a time zone. What can't go there stays: in the past, or
 * where its subreddit or the queue refuses it, as if it were moved alone. Answers when each that moved was before. Throws
 * `timeline_move_too_many`.
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
): Promise<{ items: Placed[]; stayed: Stayed[] }> {
  const { userId, from, to, days, timeZone, minutes, now } = of
  const queue = await lockQueue(tx, userId)
  const { rows } = await sql<Omit<MovingRow, 'next_at'>>`
    select id, post_at, ${MOVING} from scheduled_posts
    where user_id = ${userId} and state = 'scheduled' and post_at >= ${from} and post_at < ${to}
    limit ${sql.lit(MAX_MOVED_ITEMS + 1)} for update`.execute(tx)
  if (rows.length > MAX_MOVED_ITEMS) throw new AppError('timeline_move_too_many')
  const moving = rows.map((row) => ({
    ...row,
    next_at: new Date(daysLater(row.post_at, days, timeZone).getTime() + minutes * MINUTE_MS),
  }))
  return place(tx, { userId, queue, rows: moving, now })
}

/**
 * Gives items that are still scheduled these times, where they may go up then; of an item that is named twice, the last.
 * Answers how many, and what stayed.
 */
export async function moveBack(
  tx: Tx,
  { userId, items, now }: { userId: string; items: readonly Placed[]; now: Date },
): Promise<{ moved: number; stayed: Stayed[] }> {
  const queue = await lockQueue(tx, userId)
  const places = [...new Map(items.map(({ id, post_at }) => [id.toLowerCase(), { id, post_at }])).values()]
  const { rows } = await sql<MovingRow>`
    select item.id, item.post_at, placed.post_at as next_at, ${MOVING}
    from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map(({ post_at }) => post_at)}::timestamptz[])
      as placed (id, post_at)
      join scheduled_posts as item on item.id = placed.id
    where item.user_id = ${userId} and item.state = 'scheduled'
    for update of item`.execute(tx)
  const { items: moved, stayed } = await place(tx, { userId, queue, rows, now })
  return { moved: moved.length, stayed }
}

/** Gives those of the items their next times that may go up then; what stays says why. */
async function place(
  tx: Tx,
  { userId, queue, rows, now }: { userId: string; queue: QueueRow; rows: readonly MovingRow[]; now: Date },
): Promise<{ items: Placed[]; stayed: Stayed[] }> {
  const facts = await listFacts(tx, {
    userId,
    posts: rows.map((row) => ({
      subredditId: row.subreddit_id,
      accountId: row.by_hand ? null : row.account_id,
      mediaKey: row.media_key,
      at: row.next_at,
    })),
    except: rows.map(({ id }) => id),
    counted: 'timeline',
    sameMediaMinutes: queue.same_media_minutes,
    now,
  })
  const moving = rows.flatMap((row, index) => {
    const its = facts[index]
    return its ? [{ ...row, facts: its }] : []
  })
  const { moved, stayed } = decideMoves(moving, now)
  if (moved.length > 0)
    await sql`
      update scheduled_posts as item set post_at = moved.next_at
      from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ next_at }) => next_at)}::timestamptz[])
        as moved (id, next_at)
      where item.id = moved.id`.execute(tx)
  return { items: moved.map(({ id, post_at }) => ({ id, post_at })), stayed }
}
