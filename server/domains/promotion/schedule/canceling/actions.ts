import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { CHANGEABLE, editItem, lockItem, requirePost, requireRoom, setPlace, takeLink } from '../actions.ts'
import { countScheduled, findItem, type ItemRow } from '../data.ts'
import { lockQueue } from '../queue/actions.ts'
import { disconnectedFailure, stateBefore } from '../rules.ts'

/** Takes an item off the timeline; its subreddit is usable again. Throws `timeline_item_settled` of what was sent. */
export async function cancelItem(tx: Tx, userId: string, itemId: string): Promise<void> {
  const item = await lockItem(tx, userId, itemId)
  if (![...CHANGEABLE, 'unknown'].includes(item.state)) throw new AppError('timeline_item_settled')
  await tx.updateTable('scheduled_posts').set({ state: 'canceled' }).where('id', '=', itemId).execute()
  await setPlace(tx, { id: item.post_id, subreddit_id: item.subreddit_id }, 'usable')
}

/**
 * Puts an item back that was taken off, as it was but for its post’s new link: what failed or is in doubt isn’t sent by
 * that. What would go up at once goes to the end of the queue; what was an account’s that is disconnected waits for it.
 * Throws `timeline_item_not_found`, and what keeps its post from being scheduled there.
 */
export async function restoreItem(
  tx: Tx,
  { userId, itemId, now }: { userId: string; itemId: string; now: Date },
): Promise<ItemRow> {
  await lockQueue(tx, userId)
  requireRoom(await countScheduled(tx, userId))
  const item = await findItem(tx, userId, itemId)
  if (item?.state !== 'canceled') throw new AppError('timeline_item_not_found')
  const post = await requirePost(tx, { userId, postId: item.post_id, subreddit: item.subreddit })
  const before = stateBefore(item, now)
  // Its account was disconnected meanwhile; no other posts it unasked.
  const failure = before === 'scheduled' && !item.by_hand && !item.account_id ? disconnectedFailure() : null
  const state = failure ? 'failed' : before
  await tx
    .updateTable('scheduled_posts')
    .set({ state, ...(failure ? { failure: JSON.stringify(failure) } : {}) })
    .where('id', '=', itemId)
    .execute()
  await setPlace(tx, post, 'scheduled')
  if (state === 'scheduled' || state === 'failed' || state === 'waiting') await takeLink(tx, item)
  if (state !== 'scheduled' || item.post_at > now) return (await findItem(tx, userId, itemId)) as ItemRow
  return editItem(tx, { userId, itemId, postTime: 'endOfQueue', now })
}
