import { sql } from 'kysely'
import pLimit from 'p-limit'
import { MAX_SAVED_REPLIES } from '../../../../contract/promotion.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { type AccountRow, findAccount } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { failureOf } from '../present.ts'
import { findThread, type InboxRow, listReceived } from './data.ts'
import { notedBefore, skippedUntil } from './rules.ts'

/** The message or thread of an inbox action; throws `forum_message_not_found` unless it is this person's. */
export type Named = { userId: string; threadId: string; author: string }

/** Notes that somebody looks at their inboxes, and has those read that are due. */
export async function noteOpened(
  { db }: Pick<Context, 'db'>,
  { userId, inboxes, now }: { userId: string; inboxes: readonly InboxRow[]; now: Date },
): Promise<void> {
  const isNew = inboxes.some(({ opened_at }) => opened_at === null || opened_at < notedBefore(now))
  const isDue = inboxes.some(
    ({ revoked_at, next_sync_at }) => !revoked_at && (next_sync_at === null || next_sync_at <= now),
  )
  if (!isNew && !isDue) return
  await db.transaction().execute(async (tx) => {
    await openInboxes(tx, userId, now)
    if (isDue) await enqueue(tx, 'inbox.sync', {})
  })
}

/** Has every account of somebody an inbox that was looked at now. */
export async function openInboxes(tx: Tx, userId: string, now: Date): Promise<void> {
  await sql`
    insert into forum_inboxes (account_id, next_sync_at, opened_at)
    select id, ${now}::timestamptz, ${now}::timestamptz from forum_accounts where user_id = ${userId}
    on conflict (account_id) do update set opened_at = excluded.opened_at
    where forum_inboxes.opened_at < excluded.opened_at`.execute(tx)
}

/** Hides a thread until tomorrow or until its author writes again, or shows it again. */
export async function skipThread(
  tx: Tx,
  { userId, threadId, author, skip, now }: Named & { skip: boolean; now: Date },
): Promise<void> {
  const skipped = await tx
    .updateTable('forum_threads')
    .set({ skipped_until: skip ? skippedUntil(now) : null })
    .where('id', '=', threadId)
    .where('user_id', '=', userId)
    .where(sql<string>`lower(author)`, '=', author.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (skipped.numUpdatedRows === 0n) throw new AppError('forum_message_not_found')
}

/** Hides everything from an author, or shows it again. */
export async function ignoreAuthor(tx: Tx, named: Named & { ignore: boolean }): Promise<void> {
  const { userId, ignore } = named
  const thread = await findThread(tx, named)
  if (!thread || thread.deleted_at) throw new AppError('forum_message_not_found')
  await tx
    .insertInto('forum_contacts')
    .values({ user_id: userId, name: thread.author.toLowerCase(), ignored: ignore })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ ignored: ignore }))
    .execute()
}

/** Messages of a thread that are deleted at the same time, and at most. */
const DELETED_AT_ONCE = 4
const MAX_DELETED = 500

/**
 * Deletes what was received in a thread on the forum, then the thread here; what the forum didn’t take leaves it as it
 * was, to be deleted again from there on. Throws `forum_deletion_unfinished` where it took some, else why it took none;
 * `forum_reconnect` in either case, as only that helps.
 */
export async function deleteThread(
  context: Context,
  { userId, threadId, now }: { userId: string; threadId: string; now: Date },
): Promise<void> {
  const { db } = context
  requireForum(context)
  const thread = await findThread(db, { userId, threadId })
  const account = thread && (await findAccount(db, thread.account_id))
  if (!account) throw new AppError('forum_message_not_found')
  if (thread.deleted_at) return
  const names = await listReceived(db, threadId, MAX_DELETED)
  const { deleted, failure } = await deleteMessages(context, account, names)
  const isGone = await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('forum_messages')
      .set({ deleted_at: now })
      .where('account_id', '=', account.id)
      .where('name', '=', sql<string>`any(${deleted}::text[])`)
      .execute()
    // Nobody has seen the messages that arrived meanwhile.
    const gone = await tx
      .updateTable('forum_threads')
      .set({ deleted_at: now, skipped_until: null })
      .where('id', '=', threadId)
      .where(
        sql<boolean>`not exists (select from forum_messages
          where thread_id = forum_threads.id and not is_own and deleted_at is null)`,
      )
      .executeTakeFirst()
    return gone.numUpdatedRows > 0n
  })
  if (failure?.code === 'forum_reconnect') throw failure
  if (deleted.length > 0 && (failure || !isGone)) throw new AppError('forum_deletion_unfinished')
  if (failure) throw failure
}

/** Deletes messages until the forum doesn’t take one; answers those that it took, and why it didn’t take the others. */
async function deleteMessages(
  context: Context,
  account: AccountRow,
  names: readonly string[],
): Promise<{ deleted: string[]; failure: AppError | null }> {
  const forum = requireForum(context)
  const limit = pLimit(DELETED_AT_ONCE)
  const deleted: string[] = []
  const failures: AppError[] = []
  await limit.map(names, async (name) => {
    if (failures.length > 0) return
    try {
      const answer = await askAs(context, account, (token) => forum.deleteMessage(name, token))
      if (answer.kind === 'answered') deleted.push(name)
      else failures.push(failureOf(answer))
    } catch (error) {
      // Thrown by what comes before: the account's token.
      if (!(error instanceof AppError)) throw error
      failures.push(error)
    }
  })
  return { deleted, failure: failures[0] ?? null }
}

/** Saves a reply to be used again, or changes one. Throws `saved_replies_full` and `saved_reply_not_found`. */
export async function saveReply(
  tx: Tx,
  reply: { userId: string; id: string | undefined; title: string; body: string; now: Date },
): Promise<string> {
  const { userId, id, title, body, now } = reply
  if (id !== undefined) {
    const changed = await tx
      .updateTable('saved_replies')
      .set({ title, body })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new AppError('saved_reply_not_found')
    return id
  }
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved replies ${userId}`}, 0))`.execute(tx)
  const { held } = await tx
    .selectFrom('saved_replies')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (held >= MAX_SAVED_REPLIES) throw new AppError('saved_replies_full')
  const saved = await tx
    .insertInto('saved_replies')
    .values({ user_id: userId, title, body, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return saved.id
}

/** Throws `saved_reply_not_found`. */
export async function deleteSavedReply(tx: Tx, userId: string, id: string): Promise<void> {
  const deleted = await tx
    .deleteFrom('saved_replies')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw new AppError('saved_reply_not_found')
}
