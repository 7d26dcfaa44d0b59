import { sql } from 'kysely'
import { MAX_MOVED_ITEMS } from '../../../../../contract/promotion.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findFacts, type QueueRow } from '../data.ts'
import { lockQueue } from '../queue/actions.ts'
import { verdictsOf } from '../rules.ts'
import { inTurnsOfMoving, PAST, type Stayed, stayedOf } from './rules.ts'

/** An item and its time. */
type Placed = { id: string; post_at: Date }

type MovingRow = Placed & {
  next_at: Date
  title: string
  url: string
  flair_id: string | null
  media_key: string
  subreddit_id: string
  account_id: string | null
  by_hand: boolean
}
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
  // A time that comes twice would become the second on its way there and back.
  const day =
    days === 0
      ? sql`post_at`
      : sql`(post_at at time zone ${timeZone}::text + ${days}::integer * interval '1 day') at time zone ${timeZone}::text`
  const { rows } = await sql<MovingRow>`
    select id, post_at, ${day} + ${minutes}::integer * interval '1 minute' as next_at, ${MOVING} from scheduled_posts
    where user_id = ${userId} and state = 'scheduled' and post_at >= ${from} and post_at < ${to}
    limit ${sql.lit(MAX_MOVED_ITEMS + 1)} for update`.execute(tx)
  if (rows.length > MAX_MOVED_ITEMS) throw new AppError('timeline_move_too_many')
  return place(tx, { userId, queue, rows, now })
}

/** Gives items that are still scheduled these times, where they may go up then. Answers how many, and what stayed. */
export async function moveBack(
  tx: Tx,
  { userId, items, now }: { userId: string; items: readonly Placed[]; now: Date },
): Promise<{ moved: number; stayed: Stayed[] }> {
  const queue = await lockQueue(tx, userId)
  const { rows } = await sql<MovingRow>`
    select item.id, item.post_at, placed.post_at as next_at, ${MOVING}
    from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ post_at }) => post_at)}::timestamptz[])
      as placed (id, post_at)
      join scheduled_posts as item on item.id = placed.id
    where item.user_id = ${userId} and item.state = 'scheduled'
    for update of item`.execute(tx)
  const { items: moved, stayed } = await place(tx, { userId, queue, rows, now })
  return { moved: moved.length, stayed }
}

type Moving = { userId: string; queue: QueueRow; now: Date }

async function place(tx: Tx, { rows, ...of }: Moving & { rows: readonly MovingRow[] }) {
  const items: Placed[] = []
  const reasons: string[] = []
  for (const row of inTurnsOfMoving(rows)) {
    const { id, post_at, next_at } = row
    const reason = next_at <= of.now ? PAST : await brokenBy(tx, row, of)
    if (reason === null) {
      await tx.updateTable('scheduled_posts').set({ post_at: next_at }).where('id', '=', id).execute()
      items.push({ id, post_at })
    } else reasons.push(reason)
  }
  return { items, stayed: stayedOf(reasons) }
}

/** Why an item can't go up at its next time; null where it can. */
async function brokenBy(tx: Tx, item: MovingRow, { userId, queue, now }: Moving): Promise<string | null> {
  const { id, title, url, flair_id: flairId, next_at: at } = item
  const facts = await findFacts(tx, {
    userId,
    subredditId: item.subreddit_id,
    accountId: item.by_hand ? null : item.account_id,
    mediaKey: item.media_key,
    except: id,
    counted: 'timeline',
    sameMediaMinutes: queue.same_media_minutes,
    now,
  })
  return verdictsOf({ title, url, flairId, at }, facts)[0]?.message ?? null
}
