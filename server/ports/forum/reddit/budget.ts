import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Priority } from '../port.ts'

/** What the forum allows one client in ten minutes unless its answers say otherwise. */
export const WINDOW_CALLS = 990
const WINDOW_SECONDS = 600
/** Calls that are left to those that matter more. */
const KEPT: Record<Priority, number> = { interactive: 60, background: 400 }

/** The calls that the forum still allows our client, whose limit all accounts and all processes share. */
export type Budget = {
  /** Takes one call; answers null, or in how many seconds there may be another. */
  take(priority: Priority, now: Date): Promise<number | null>
  /** Notes what an answer’s headers say: calls that are left, and seconds until all are there again. */
  note(left: { remaining: number; resetSeconds: number }, now: Date): Promise<void>
}

/** Keeps the budget of this client id in the database. */
export function createBudget(db: Db, client: string): Budget {
  return {
    async take(priority, now) {
      const ends = new Date(now.getTime() + WINDOW_SECONDS * 1000)
      const kept = KEPT[priority]
      // One statement, so that of many callers each gets a call of its own or none.
      const { rows } = await sql`
        insert into forum_budget as budget (client, remaining, window_ends)
        values (${client}, ${WINDOW_CALLS - 1}, ${ends})
        on conflict (client) do update set
          remaining = case when budget.window_ends <= ${now} then ${WINDOW_CALLS} else budget.remaining end - 1,
          window_ends = case when budget.window_ends <= ${now} then ${ends} else budget.window_ends end
        where budget.window_ends <= ${now} or budget.remaining > ${kept}
        returning client`.execute(db)
      if (rows.length > 0) return null
      const window = await db
        .selectFrom('forum_budget')
        .select('window_ends')
        .where('client', '=', client)
        .executeTakeFirst()
      return Math.max(1, Math.ceil(((window?.window_ends ?? ends).getTime() - now.getTime()) / 1000))
    },

    async note({ remaining, resetSeconds }, now) {
      const ends = new Date(now.getTime() + resetSeconds * 1000)
      // Calls under way aren’t in the forum’s number, so ours is only ever lowered by it within a window.
      await sql`
        update forum_budget set
          remaining = case
            when window_ends + interval '30 seconds' < ${ends} then ${remaining}
            else least(remaining, ${remaining}) end,
          window_ends = ${ends}
        where client = ${client}`.execute(db)
    },
  }
}
