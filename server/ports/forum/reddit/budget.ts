import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { NEW_SUBREDDITS_LIMIT } from '../../../../contract/forum.ts'
import type { Db, Tx } from '../../../db/client.ts'
import type { Priority } from '../port.ts'

/**
 * The calls that we make of those that the forum allows one client in ten minutes, unless its answers allow more or
 * less.
 */
export const WINDOW_CALLS = 990
/** The share that we use of what the forum allows; the rest covers differences between its count and ours. */
const TAKEN_SHARE = 0.99
const WINDOW_SECONDS = 600
/** Calls that are left to those that matter more. */
const KEPT: Record<Priority, number> = { publishing: 0, interactive: 60, background: 400 }

/** The calls that the forum still allows our client, whose limit all accounts and all processes share. */
export type Budget = {
  /** Takes one call; answers null, or in how many seconds there may be another. */
  take(priority: Priority, now: Date): Promise<number | null>
  /** Takes one of the look-ups that each person has; answers null, or in how many seconds there may be another. */
  takeShare(person: string, now: Date): Promise<number | null>
  /** Notes what an answer’s headers say: calls used (null where it isn't said) and left, and seconds until all are there again. */
  note(said: { used: number | null; remaining: number; resetSeconds: number }, now: Date): Promise<void>
}

/** Keeps the budget of this client id in the database. */
export function createBudget(db: Db, client: string): Budget {
  const shares = `share of ${client} `
  return {
    take: (priority, now) =>
      db.transaction().execute((tx) => {
        const window = { calls: WINDOW_CALLS, seconds: WINDOW_SECONDS, kept: KEPT[priority] }
        return takeOne(tx, client, window, now)
      }),

    async takeShare(person, now) {
      await db.transaction().execute((tx) => forgetOver(tx, shares, now))
      const hash = createHash('sha256').update(person).digest('base64url')
      const { points: calls, seconds } = NEW_SUBREDDITS_LIMIT
      return db.transaction().execute((tx) => takeOne(tx, shares + hash, { calls, seconds, kept: 0 }, now))
    },

    async note({ used, remaining, resetSeconds }, now) {
      const ends = new Date(now.getTime() + resetSeconds * 1000)
      const allowed = used === null ? null : Math.floor((used + remaining) * TAKEN_SHARE)
      // Calls under way aren’t in the forum’s number, so that within a window only a larger allowance raises ours.
      const noted = sql`
        update forum_budget set
          remaining = case
            when window_ends + interval '30 seconds' < ${ends} then ${remaining}
            else least(remaining + greatest(coalesce(${allowed}::integer, calls) - calls, 0), ${remaining}) end,
          calls = coalesce(${allowed}::integer, calls),
          window_ends = ${ends}
        where client = ${client}`
      await db.transaction().execute((tx) => noted.execute(tx))
    },
  }
}

/** Forgets windows that are over; rows locked by others are left to them, so that no two wait for each other. */
async function forgetOver(tx: Tx, prefix: string, now: Date): Promise<void> {
  await sql`
    delete from forum_budget where client in (
      select client from forum_budget where starts_with(client, ${prefix}) and window_ends <= ${now}
      limit 50 for update skip locked)`.execute(tx)
}

/**
 * Takes one of the calls of a window, which are as many as `calls` until an answer says otherwise, and of which some are
 * kept for others; answers null, or in how many seconds there may be another.
 */
async function takeOne(
  tx: Tx,
  row: string,
  { calls, seconds, kept }: { calls: number; seconds: number; kept: number },
  now: Date,
): Promise<number | null> {
  const ends = new Date(now.getTime() + seconds * 1000)
  // One statement, so that of many callers each gets a call of its own or none.
  const { rows } = await sql`
    insert into forum_budget as budget (client, calls, remaining, window_ends)
    values (${row}, ${calls}, ${calls - 1}, ${ends})
    on conflict (client) do update set
      remaining = case when budget.window_ends <= ${now} then budget.calls else budget.remaining end - 1,
      window_ends = case when budget.window_ends <= ${now} then ${ends} else budget.window_ends end
    where budget.window_ends <= ${now} or budget.remaining > ${kept}
    returning client`.execute(tx)
  if (rows.length > 0) return null
  const window = await tx
    .selectFrom('forum_budget')
    .select('window_ends')
    .where('client', '=', row)
    .executeTakeFirst()
  return Math.max(1, Math.ceil(((window?.window_ends ?? ends).getTime() - now.getTime()) / 1000))
}
