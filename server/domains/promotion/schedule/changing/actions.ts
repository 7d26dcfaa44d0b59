import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { tell } from '../../submissions/actions.ts'
import { remedyFor } from '../../submissions/rules.ts'
import { findByNames } from '../../subreddits/data.ts'
import {
  CHANGEABLE,
  chooseAccount,
  editItem,
  linked,
  lockItem,
  requirePost,
  requireRoom,
  setPlace,
  takeLink,
} from '../actions.ts'
import { countScheduled, findItem, type ItemRow, listPosters } from '../data.ts'
import { lockQueue } from '../queue/actions.ts'
import { disconnectedFailure, linkVerdicts, stateBefore } from '../rules.ts'

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

/** Lets an account post where the forum refused it, and puts the item at the end of the queue. */
export async function reopenPair(
  tx: Tx,
  { userId, itemId, now }: { userId: string; itemId: string; now: Date },
): Promise<ItemRow> {
  await lockQueue(tx, userId)
  const item = await lockItem(tx, userId, itemId)
  if (item.account_id) await openPair(tx, item.account_id, item.subreddit_id)
  return editItem(tx, { userId, itemId, postTime: 'endOfQueue', now })
}

/**
 * Lets an account plan posts where the forum refused it, whatever became of what was refused. Throws
 * `subreddit_not_found`, `forum_account_not_found` and `forum_not_connected`.
 */
export async function reopenSubreddit(
  tx: Tx,
  of: { userId: string; accountId: string | undefined; subreddit: string; now: Date },
): Promise<void> {
  const [subreddit] = await findByNames(tx, [of.subreddit])
  if (!subreddit) throw new AppError('subreddit_not_found')
  const posters = await listPosters(tx, of.userId)
  const account = chooseAccount(posters, { ...of, byHand: false, isNow: false })
  if (account) await openPair(tx, account.id, subreddit.id)
}

async function openPair(tx: Tx, accountId: string, subredditId: string): Promise<void> {
  await tx
    .deleteFrom('forum_closed_pairs')
    .where('account_id', '=', accountId)
    .where('subreddit_id', '=', subredditId)
    .execute()
}

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
