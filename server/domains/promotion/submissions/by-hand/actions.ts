import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import { notePosted, tell } from '../actions.ts'
import { listDueByHand } from '../data.ts'

/** Notes that a person posted an item by hand, or found it there. Throws `forum_link_used` and `timeline_item_settled`. */
export async function confirmPosted(
  tx: Tx,
  of: { userId: string; itemId: string; id: string; permalink: string; postedAt: Date; now: Date },
): Promise<void> {
  const item = await tx
    .selectFrom('scheduled_posts')
    .selectAll()
    .where('id', '=', of.itemId)
    .where('user_id', '=', of.userId)
    .forUpdate()
    .executeTakeFirst()
  if (!item || item.state === 'canceled') throw new AppError('timeline_item_not_found')
  if (!['scheduled', 'waiting', 'unknown', 'failed'].includes(item.state))
    throw new AppError('timeline_item_settled')
  try {
    await notePosted(tx, item, of, of.now)
  } catch (error) {
    if (violates(error, 'scheduled_posts_forum_post')) throw new AppError('forum_link_used')
    throw error
  }
}

const BY_HAND_AT_ONCE = 500

/** Tells people of what they post by hand and whose time has come. */
export async function tellOfDue(tx: Tx, now: Date): Promise<void> {
  for (const item of await listDueByHand(tx, now, BY_HAND_AT_ONCE)) {
    const changed = await tx
      .updateTable('scheduled_posts')
      .set({ state: 'waiting' })
      .where('id', '=', item.id)
      .where('state', '=', 'scheduled')
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n) await tell(tx, item, { state: 'waiting', reason: null }, now)
  }
}
