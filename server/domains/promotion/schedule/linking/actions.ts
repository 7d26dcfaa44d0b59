import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { remedyFor } from '../../submissions/rules.ts'
import { addressOf } from '../actions.ts'
import { lockQueue } from '../queue/actions.ts'
import { linkVerdicts } from '../rules.ts'

/**
 * Has what isn't posted yet of a post go up with the post's new link; what waits for its person keeps the one they were
 * shown. What is scheduled where such links aren't taken fails with that.
 */
export async function changeLink(
  tx: Tx,
  { userId, postId, link }: { userId: string; postId: string; link: string },
): Promise<void> {
  await lockQueue(tx, userId)
  const { url, mediaKey } = addressOf({ link, media_id: null }, '')
  const changed = await tx
    .updateTable('scheduled_posts')
    .set({ url, media_key: mediaKey })
    .where('user_id', '=', userId)
    .where('post_id', '=', postId)
    .where('state', 'in', ['scheduled', 'failed'])
    .returning(['id', 'state', 'subreddit_id'])
    .execute()
  const scheduled = changed.filter(({ state }) => state === 'scheduled')
  const readings = await tx
    .selectFrom('subreddit_readings')
    .select(['subreddit_id', 'requirements'])
    .where('subreddit_id', '=', sql<string>`any(${scheduled.map((item) => item.subreddit_id)}::uuid[])`)
    .execute()
  for (const { subreddit_id, requirements } of readings) {
    const [broken] = linkVerdicts(url, requirements)
    if (!broken) continue
    const { rule, message } = broken
    const ids = scheduled.filter((item) => item.subreddit_id === subreddit_id).map(({ id }) => id)
    await tx
      .updateTable('scheduled_posts')
      .set({ state: 'failed', failure: JSON.stringify({ code: rule, message, remedy: remedyFor(rule) }) })
      .where('id', 'in', ids)
      .execute()
  }
}
