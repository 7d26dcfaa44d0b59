import pLimit from 'p-limit'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { violates } from '../../../../errors.ts'
import type { Priority } from '../../../../ports/forum/port.ts'
import { askIfConnected, requireForum } from '../../accounts/tokens/actions.ts'
import { checkAt } from '../../schedule/actions.ts'
import { notePosted, tell } from '../actions.ts'
import { findSendable, listInDoubt, type SendableRow } from '../data.ts'
import { sentAmong, UNCONFIRMED } from '../rules.ts'

/** Doubts that one run looks up, and how many at the same time: each is of another account. */
const DOUBTS_OF_RUN = 200
const DOUBTS_AT_ONCE = 8
/** The forum shows a new post a little late; while it doesn’t answer, the account waits longer. */
const GIVE_UP_AFTER_MS = { missing: 5 * 60_000, unanswered: 24 * 3_600_000 }

/** Looks up what was sent and never answered: posted if the account's posts show it, else left to its person. */
export async function resolveDoubts(context: Context): Promise<void> {
  const { db, clock } = context
  const limit = pLimit(DOUBTS_AT_ONCE)
  const ids = await listInDoubt(db, clock.now(), DOUBTS_OF_RUN)
  await Promise.all(ids.map((id) => limit(() => resolveDoubt(context, id))))
}

async function resolveDoubt(context: Context, itemId: string): Promise<void> {
  const { db, clock } = context
  const item = await db.transaction().execute((tx) => claimDoubt(tx, itemId, clock.now()))
  if (!item?.sent_at) return
  const posts = await submissionsOf(context, item.account_id, 'publishing')
  const { subreddit, title, url, sent_at: sentAt } = item
  const found = Array.isArray(posts) ? sentAmong(posts, { subreddit, title, url, sentAt }) : undefined
  // The claim holds it back; the next look is when that ends.
  const isOpen =
    !found &&
    clock.now().getTime() - sentAt.getTime() <
      GIVE_UP_AFTER_MS[Array.isArray(posts) ? 'missing' : 'unanswered']
  if (isOpen && posts !== 'no account') return
  const note = async (tx: Tx) => {
    const now = clock.now()
    const current = await tx
      .selectFrom('scheduled_posts')
      .select('account_id')
      .where('id', '=', itemId)
      .where('state', '=', 'submitting')
      .forUpdate()
      .executeTakeFirst()
    if (!current) return
    const isOurs = found && (await isUnused(tx, item.user_id, found.id))
    if (found && isOurs) {
      const { id, permalink, createdAt: postedAt } = found
      await notePosted(tx, { ...item, account_id: current.account_id }, { id, permalink, postedAt }, now)
      return
    }
    await tx
      .updateTable('scheduled_posts')
      .set({ state: 'unknown', failure: JSON.stringify(UNCONFIRMED), check_at: null, awaits_forum_id: null })
      .where('id', '=', itemId)
      .execute()
    await tell(tx, item, { state: 'unknown', reason: UNCONFIRMED.message }, now)
  }
  await db
    .transaction()
    .execute(note)
    .catch((error: unknown) => {
      // Its person said of another item meanwhile that it is this post; the next look sees that.
      if (!violates(error, 'scheduled_posts_forum_post')) throw error
    })
}

async function claimDoubt(tx: Tx, itemId: string, now: Date): Promise<SendableRow | undefined> {
  const claimed = await tx
    .updateTable('scheduled_posts')
    .set({ check_at: checkAt(now) })
    .where('id', '=', itemId)
    .where('state', '=', 'submitting')
    .where('check_at', '<=', now)
    .executeTakeFirst()
  return claimed.numUpdatedRows === 0n ? undefined : findSendable(tx, itemId)
}

/** The account's latest posts as the forum has them. */
export const submissionsOf = (context: Context, accountId: string | null, priority: Priority) =>
  askIfConnected(context, accountId, (token, { name }) =>
    requireForum(context).submissions(name, token, priority),
  )

/** Whether no other item of this person stands for this post of the forum. */
export async function isUnused(tx: Tx, userId: string, forumPostId: string): Promise<boolean> {
  const other = await tx
    .selectFrom('scheduled_posts')
    .select('id')
    .where('user_id', '=', userId)
    .where('forum_post_id', '=', forumPostId)
    .executeTakeFirst()
  return other === undefined
}
