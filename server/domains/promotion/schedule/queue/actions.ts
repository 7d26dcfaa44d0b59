import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { findQueue } from '../data.ts'
import { DISCONNECTED, disconnectedComment, disconnectedFailure } from '../rules.ts'

const lockOf = (userId: string) => sql`hashtextextended(${`forum queue ${userId}`}, 0)`

/** One change of somebody's queue at a time, so that no two take the same slot. */
export async function lockQueue(tx: Tx, userId: string) {
  await sql`select pg_advisory_xact_lock(${lockOf(userId)})`.execute(tx)
  return findQueue(tx, userId)
}

/** The same without waiting; answers whether nobody else changes the queue. */
export async function tryLockQueue(tx: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${lockOf(userId)}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

type Queue = Awaited<ReturnType<typeof findQueue>>

/** Changes somebody's rhythm; what is undefined stays. */
export async function editQueue(
  tx: Tx,
  userId: string,
  change: { [Name in keyof Queue]?: Queue[Name] | undefined },
): Promise<void> {
  const queue = await lockQueue(tx, userId)
  await tx
    .insertInto('forum_queues')
    .values({ user_id: userId, ...queue })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  if (Object.values(change).every((value) => value === undefined)) return
  await tx.updateTable('forum_queues').set(change).where('user_id', '=', userId).execute()
}

/** Keeps an account from posting, or lets it post again at once. Throws `forum_account_not_found`. */
export async function stopAccount(
  tx: Tx,
  { userId, accountId, stopped }: { userId: string; accountId: string; stopped: boolean },
): Promise<void> {
  const changed = await tx
    .updateTable('forum_accounts')
    .set(stopped ? { stopped_by: 'person' } : { stopped_by: null, failures: 0 })
    .where('id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('forum_account_not_found')
}

/** How many posts and slots a disconnected account leaves. */
export type Left = { posts: number; slots: number }

/**
 * Has what an account was to post wait until it is connected again, so that it isn't lost or posted by another one.
 * Everything it left is on the timeline as failed, with the remedy `reconnect`; what is being sent becomes so if the forum
 * doesn't take it. What it posted, and where the forum refused it, stays known as its own.
 */
export async function leaveAccount(
  tx: Tx,
  account: { id: string; userId: string; forumId: string; name: string },
): Promise<Left> {
  await lockQueue(tx, account.userId)
  const failure = disconnectedFailure(account.name)
  const posts = await tx
    .updateTable('scheduled_posts')
    .set({ state: 'failed', failure: JSON.stringify(failure) })
    .where('account_id', '=', account.id)
    .where('state', '=', 'scheduled')
    .where('by_hand', '=', false)
    .executeTakeFirst()
  const isCommenting = sql`comment_state in ('due', 'sending')`
  await tx
    .updateTable('scheduled_posts')
    .set({
      awaits_forum_id: account.forumId,
      comment_failure: sql`case when ${isCommenting}
        then ${JSON.stringify(disconnectedComment(account.name))}::jsonb else comment_failure end`,
      comment_at: sql`case when ${isCommenting} then null else comment_at end`,
      comment_state: sql`case when ${isCommenting} then 'failed' else comment_state end`,
    })
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .execute()
  await tx
    .updateTable('forum_closed_pairs')
    .set({ account_id: null, user_id: account.userId, awaits_forum_id: account.forumId })
    .where('account_id', '=', account.id)
    .execute()
  const slots = await tx
    .updateTable('forum_slots')
    .set({ awaits_forum_id: account.forumId, problem: failure.message })
    .where('account_id', '=', account.id)
    .where('by_hand', '=', false)
    .executeTakeFirst()
  return { posts: Number(posts.numUpdatedRows), slots: Number(slots.numUpdatedRows) }
}

/**
 * Gives an account that is connected again what it left: what waits for it, each at its own time, what is still being sent,
 * what it posted, whose comments are looked up before they are sent, and where the forum refused it.
 */
export async function reassignPosts(
  tx: Tx,
  account: { id: string; userId: string; forumId: string },
  now: Date,
): Promise<void> {
  await lockQueue(tx, account.userId)
  const { id: account_id, userId, forumId } = account
  const isLeft = sql`failure ->> 'code' = ${DISCONNECTED}`
  const isUncommented = sql`comment_failure ->> 'code' = ${DISCONNECTED}`
  await tx
    .updateTable('scheduled_posts')
    .set({
      account_id,
      state: sql`case when state = 'failed' and ${isLeft} then 'scheduled' else state end`,
      failure: sql`case when ${isLeft} then null else failure end`,
      comment_state: sql`case when ${isUncommented} then 'sending' else comment_state end`,
      comment_at: sql`case when ${isUncommented} then ${now}::timestamptz else comment_at end`,
      comment_since: sql`case when ${isUncommented} then ${now}::timestamptz else comment_since end`,
      comment_tries: sql`case when ${isUncommented} then 0 else comment_tries end`,
      comment_failure: sql`case when ${isUncommented} then null else comment_failure end`,
      awaits_forum_id: null,
    })
    .where('user_id', '=', userId)
    .where('awaits_forum_id', '=', forumId)
    .execute()
  await tx
    .updateTable('forum_closed_pairs')
    .set({ account_id, user_id: null, awaits_forum_id: null })
    .where('user_id', '=', userId)
    .where('awaits_forum_id', '=', forumId)
    .execute()
  await tx
    .updateTable('forum_slots')
    .set({ account_id, awaits_forum_id: null, problem: null })
    .where('user_id', '=', userId)
    .where('awaits_forum_id', '=', forumId)
    .execute()
}
