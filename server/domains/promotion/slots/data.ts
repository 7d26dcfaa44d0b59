import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Somebody's slots by their time of the day, with how many posts each has on the timeline. */
export function listSlots(db: Db, userId: string) {
  return db
    .selectFrom('forum_slots as slot')
    .leftJoin('subreddits', 'subreddits.id', 'slot.subreddit_id')
    .select([
      'slot.id',
      'days',
      'minute',
      'subreddit_id',
      'account_id',
      'by_hand',
      'problem',
      'awaits_forum_id',
    ])
    .select('subreddits.name as subreddit')
    .select((eb) =>
      eb
        .selectFrom('scheduled_posts')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('slot_id', '=', 'slot.id')
        .where('state', 'in', ['scheduled', 'waiting'])
        .as('planned'),
    )
    .where('slot.user_id', '=', userId)
    .orderBy('minute')
    .orderBy('slot.id')
    .execute()
}
export type SlotRow = Awaited<ReturnType<typeof listSlots>>[number]

/** The days from this one on (YYYY-MM-DD) that slots of somebody were filled for: `slot day`. */
export async function listFilled(db: Db, userId: string, from: string): Promise<Set<string>> {
  const { rows } = await sql<{ filled: string }>`
    select slot_id || ' ' || slot_on as filled from scheduled_posts
    where slot_id in (select id from forum_slots where user_id = ${userId}) and slot_on >= ${from}::date`.execute(
    db,
  )
  return new Set(rows.map(({ filled }) => filled))
}

/** A person's items between two times, by time in milliseconds. */
export async function listTakenTimes(
  db: Db,
  userId: string,
  from: Date,
  to: Date,
): Promise<Map<number, { id: string; slot_id: string | null }>> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select(['id', 'slot_id', 'post_at'])
    .where('user_id', '=', userId)
    .where('state', '<>', 'canceled')
    .where('post_at', '>=', from)
    .where('post_at', '<=', to)
    .execute()
  return new Map(rows.map(({ post_at, ...row }) => [post_at.getTime(), row]))
}

/** People with slots by their ids, from behind the last on. */
export async function listSlotOwners(db: Db, behind: string | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('forum_slots')
    .innerJoin('users', 'users.id', 'forum_slots.user_id')
    .select('user_id')
    .distinct()
    .where('users.hidden_at', 'is', null)
    .$if(behind !== null, (query) => query.where('user_id', '>', behind ?? ''))
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
