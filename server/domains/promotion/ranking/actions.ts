import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { listFigures } from '../attribution/data.ts'
import { expectationsOf } from './rules.ts'

const DAY_MS = 24 * 3_600_000
/** How far back posts are looked at. */
const LOOKED_AT_DAYS = 365
/** How long it takes until earnings are looked at again. */
const KEPT_MS = DAY_MS
const AT_ONCE = 200

/** Works out what somebody's next post is expected to earn in each subreddit; their queue is there already. */
export async function expectEarnings(tx: Tx, userId: string, now: Date): Promise<void> {
  const from = new Date(now.getTime() - LOOKED_AT_DAYS * DAY_MS)
  const figures = await listFigures(tx, { creatorId: userId, from, to: new Date(now.getTime() + 1) })
  const { cents, subreddits } = expectationsOf(figures)
  // The row decides between two that work it out at once.
  await tx
    .updateTable('forum_queues')
    .set({ expected_cents: cents, expected_at: now })
    .where('user_id', '=', userId)
    .execute()
  await tx.deleteFrom('forum_expected_earnings').where('user_id', '=', userId).execute()
  await sql`
    insert into forum_expected_earnings (user_id, subreddit_id, cents, posts)
    select ${userId}, subreddits.id, expected.cents, expected.posts
    from jsonb_to_recordset(${JSON.stringify(subreddits)}::jsonb) as expected (name text, cents integer, posts integer)
      join subreddits on subreddits.name = expected.name`.execute(tx)
}

/** Does so for everybody whose queue goes by it, the longest due first; what fails for one keeps nobody else waiting. */
export async function expectDueEarnings({ db, clock, log }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  const due = await db
    .selectFrom('forum_queues')
    .select('user_id')
    .where('candidate_order', '=', 'earnings')
    .where('expected_at', '<', before)
    .orderBy('expected_at')
    .limit(AT_ONCE)
    .execute()
  for (const { user_id: userId } of due) {
    try {
      await db.transaction().execute((tx) => expectEarnings(tx, userId, clock.now()))
    } catch (error) {
      log.error({ err: error }, 'expected earnings were not worked out')
    }
  }
}
