import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findByNames } from '../../subreddits/data.ts'
import { chooseAccount, editItem, lockItem } from '../actions.ts'
import { type ItemRow, listPosters } from '../data.ts'
import { lockQueue } from '../queue/actions.ts'

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
