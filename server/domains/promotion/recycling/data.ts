import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** When somebody's posts can be used again. */
export type RecycleRule = { user_id: string; recycle_days: number; recycle_min_score: number }

/** The rules of everybody whose posts can be used again. */
export async function listRecycling(db: Db): Promise<RecycleRule[]> {
  const rows = await db
    .selectFrom('forum_queues')
    .select(['user_id', 'recycle_days', 'recycle_min_score'])
    .where('recycle_days', 'is not', null)
    .orderBy('user_id')
    .execute()
  return rows.flatMap(({ recycle_days, ...row }) => (recycle_days === null ? [] : [{ ...row, recycle_days }]))
}

/** Days after which a post's score isn't acted on anymore: it isn't followed that long. */
const ACTED_ON_DAYS = 30

type Bounds = { below: number; afterHours: number; now: Date }

/** A person's posts that stayed below a score for so many hours and that their account can delete. */
const below = (db: Db, userId: string, { below: score, afterHours, now }: Bounds) =>
  db
    .selectFrom('scheduled_posts as item')
    .innerJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .where('item.user_id', '=', userId)
    .where('item.state', '=', 'posted')
    .where('item.score', '<', score)
    .where('item.removed_by', 'is', null)
    .where('item.taken_down_at', 'is', null)
    .where('item.forum_post_id', 'is not', null)
    .where('account.revoked_at', 'is', null)
    .where(
      'item.posted_at',
      '<=',
      sql<Date>`${now}::timestamptz - ${afterHours}::integer * interval '1 hour'`,
    )
    .where('item.post_at', '>', sql<Date>`${now}::timestamptz - ${sql.lit(ACTED_ON_DAYS)} * interval '1 day'`)

/** How many posts stand below these bounds. */
export async function countBelow(db: Db, userId: string, bounds: Bounds): Promise<number> {
  const { count } = await below(db, userId, bounds)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The first of these that the forum didn't refuse to delete lately, the earliest posted. */
export function listBelow(db: Db, userId: string, bounds: Bounds, limit: number) {
  return below(db, userId, bounds)
    .select(['item.id', 'item.account_id', 'item.forum_post_id'])
    .where((eb) =>
      eb.or([eb('item.take_down_after', 'is', null), eb('item.take_down_after', '<=', bounds.now)]),
    )
    .orderBy('item.posted_at')
    .limit(limit)
    .execute()
}

/** People who have posts deleted by their score, in an order that differs from run to run. */
export async function listRemoving(db: Db, now: Date) {
  const rows = await db
    .selectFrom('forum_queues')
    .innerJoin('users', 'users.id', 'forum_queues.user_id')
    .select(['user_id', 'remove_below', 'remove_after_hours'])
    .where('remove_below', 'is not', null)
    .where('users.hidden_at', 'is', null)
    .orderBy(sql`uuid_hash_extended(user_id, ${now.getTime()}::bigint)`)
    .execute()
  return rows.flatMap(({ remove_below, ...row }) => (remove_below === null ? [] : [{ ...row, remove_below }]))
}
