import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type PageRequest, positionOf, timeAndId } from '../../../db/cursor.ts'

/** Days after which a post's score isn't acted on any more: it isn't followed that long. */
const ACTED_ON_DAYS = 30

type Bounds = { below: number; afterHours: number; now: Date }

/** What of somebody's posts stayed below a score for so many hours, and can be deleted by its account. */
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

export async function countBelow(db: Db, userId: string, bounds: Bounds): Promise<number> {
  const { count } = await below(db, userId, bounds)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The first of these, the earliest posted. */
export function listBelow(db: Db, userId: string, bounds: Bounds, limit: number) {
  return below(db, userId, bounds)
    .select(['item.id', 'item.account_id', 'item.forum_post_id'])
    .orderBy('item.posted_at')
    .limit(limit)
    .execute()
}

/** Whoever has posts deleted by their score, in an order that differs from run to run. */
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

/** One row more than the page of where a picture or link went up, the latest first. */
export function listPostings(
  db: Db,
  { userId, mediaKey, page }: { userId: string; mediaKey: string; page: PageRequest },
) {
  const [time, id] = [sql.ref<Date>('item.post_at'), sql.ref<string>('item.id')]
  const last = page.cursor === undefined ? null : timeAndId(page.cursor)
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .leftJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .select(['item.id', 'item.post_id', 'item.title', 'item.post_at', 'item.posted_at', 'item.score'])
    .select(['item.removed_by', 'item.taken_down_at', 'item.permalink'])
    .select(['subreddits.name as subreddit', 'account.name as account'])
    .select(positionOf(time, id).as('position'))
    .where('item.user_id', '=', userId)
    .where('item.media_key', '=', mediaKey)
    .where('item.state', '=', 'posted')
    .$if(last !== null, (query) =>
      query.where(sql<boolean>`(${time}, ${id}) < (${last?.time}::timestamptz, ${last?.id}::uuid)`),
    )
    .orderBy('item.post_at', 'desc')
    .orderBy('item.id', 'desc')
    .limit(page.limit + 1)
    .offset(page.cursor === undefined ? (page.skip ?? 0) : 0)
    .execute()
}
