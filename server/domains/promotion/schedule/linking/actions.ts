import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { tell } from '../../submissions/actions.ts'
import { remedyFor } from '../../submissions/rules.ts'
import { linked } from '../actions.ts'
import { linkVerdicts } from '../rules.ts'

/**
 * Has what isn't posted yet of a post go up with the post's new link; what waits for its person keeps the one they were
 * shown. What is scheduled where such links aren't taken fails with that, and its person is told. Who calls it holds the
 * queue. Throws `post_going_up` while one is sent with another link.
 */
export async function changeLink(
  tx: Tx,
  { userId, postId, link, now }: { userId: string; postId: string; link: string; now: Date },
): Promise<void> {
  const set = linked(link)
  // Nothing more is claimed meanwhile; an outcome that is being noted is waited for, as what wasn't taken is scheduled again.
  const sent = await tx
    .selectFrom('scheduled_posts')
    .select('url')
    .where('post_id', '=', postId)
    .where('state', '=', 'submitting')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (sent.some(({ url }) => url !== set.url)) throw new AppError('post_going_up')
  const changed = await tx
    .updateTable('scheduled_posts')
    .set(set)
    .where('user_id', '=', userId)
    .where('post_id', '=', postId)
    .where('state', 'in', ['scheduled', 'failed'])
    .returning(['id', 'user_id', 'title', 'state', 'subreddit_id'])
    .execute()
  const scheduled = changed.filter(({ state }) => state === 'scheduled')
  const readings = await tx
    .selectFrom('subreddit_readings as reading')
    .innerJoin('subreddits', 'subreddits.id', 'reading.subreddit_id')
    .select(['reading.subreddit_id', 'reading.requirements', 'subreddits.name as subreddit'])
    .where('subreddit_id', '=', sql<string>`any(${scheduled.map((item) => item.subreddit_id)}::uuid[])`)
    .execute()
  for (const { subreddit_id, subreddit, requirements } of readings) {
    const [broken] = linkVerdicts(set.url, requirements)
    if (!broken) continue
    const { rule, message } = broken
    for (const item of scheduled.filter((each) => each.subreddit_id === subreddit_id)) {
      await tx
        .updateTable('scheduled_posts')
        .set({ state: 'failed', failure: JSON.stringify({ code: rule, message, remedy: remedyFor(rule) }) })
        .where('id', '=', item.id)
        .execute()
      await tell(tx, { ...item, subreddit }, { state: 'failed', reason: message }, now)
    }
  }
}
