import { sql } from 'kysely'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import type { Published } from '../../../../ports/forum/port.ts'
import { findAccount } from '../../accounts/data.ts'
import { askAs, requireForum } from '../../accounts/tokens/actions.ts'
import type { Named } from '../actions.ts'
import { findThread, listReceived } from '../data.ts'
import { normalText, replyCheck, replyRefusal, sameReplySince } from '../rules.ts'

/** A reply as it is shown after it was sent; `sending` where nobody knows yet. */
export type SentReply = { id: string; body: string; at: Date; author: string; state: 'sent' | 'sending' }

type Claimed = {
  id: string
  thread: { id: string; author: string }
  accountId: string
  to: string
  body: string
}

/**
 * Answers the latest message of a thread on the forum, once whatever is called twice. Throws `forum_message_not_found`,
 * `forum_reply_sending`, `forum_reply_refused` with the reason, and what kept the reply from being sent.
 */
export async function replyToThread(
  context: Context,
  asked: Named & { text: string; now: Date },
): Promise<SentReply> {
  const { db, clock } = context
  requireForum(context)
  const { userId, now } = asked
  const claimed = await db
    .transaction()
    .execute((tx) => recordSending(tx, asked))
    .catch((error: unknown) => {
      throw violates(error, 'forum_replies_sending') ? new AppError('forum_reply_sending') : error
    })
  if ('at' in claimed) return claimed
  const account = await findAccount(db, claimed.accountId)
  await context.checkpoint('reply.claimed')
  const outcome = account ? await send(context, account, claimed) : new AppError('forum_account_not_found')
  await context.checkpoint('reply.answered')
  const state = await db
    .transaction()
    .execute((tx) => recordOutcome(tx, { userId, claimed, outcome, now: clock.now() }))
  if (state instanceof AppError) throw state
  return { id: claimed.id, body: claimed.body, at: now, author: account?.name ?? '', state }
}

/** Notes a reply before it is sent: from here on it is in doubt until an answer says otherwise. */
async function recordSending(
  tx: Tx,
  asked: Named & { text: string; now: Date },
): Promise<Claimed | SentReply> {
  const { threadId, text, now } = asked
  const thread = await findThread(tx, asked)
  const [to] = thread ? await listReceived(tx, threadId, 1) : []
  if (!thread || thread.deleted_at || !to) throw new AppError('forum_message_not_found')
  // Calls for one thread come one after another.
  await sql`select from forum_threads where id = ${threadId} for update`.execute(tx)
  const body = normalText(text)
  // One statement sees both: what is being sent, and what was by now.
  const same = await findSame(tx, { threadId, body, since: sameReplySince(now) })
  if (same?.state === 'sending') throw new AppError('forum_reply_sending')
  if (same) return same
  await tx
    .deleteFrom('forum_replies')
    .where('thread_id', '=', threadId)
    .where('state', '=', 'failed')
    .execute()
  const { id } = await tx
    .insertInto('forum_replies')
    .values({ thread_id: threadId, body, state: 'sending', created_at: now, check_at: replyCheck(now) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, thread: { id: threadId, author: thread.author }, accountId: thread.account_id, to, body }
}

/** The reply being sent in this thread, else the same text sent a moment ago, here or in the forum's listing. */
async function findSame(
  tx: Tx,
  { threadId, body, since }: { threadId: string; body: string; since: Date },
): Promise<SentReply | undefined> {
  const { rows } = await sql<SentReply>`
    select written.id, written.body, written.at, account.name as author, written.state from (
      select id::text, body, created_at as at, state from forum_replies where thread_id = ${threadId}
        and (state = 'sending' or (state = 'sent' and body = ${body} and created_at > ${since}))
      union all
      select name, body, sent_at, 'sent' from forum_messages
      where thread_id = ${threadId} and is_own and body = ${body} and sent_at > ${since}
    ) as written, forum_threads as thread join forum_accounts as account on account.id = thread.account_id
    where thread.id = ${threadId} order by written.state limit 1`.execute(tx)
  return rows[0]
}

async function send(
  context: Context,
  account: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
  { to, body }: Claimed,
): Promise<Published<null> | AppError> {
  try {
    return await askAs(context, account, (token) =>
      requireForum(context).reply({ name: to, text: body }, token),
    )
  } catch (error) {
    // Thrown by what comes before sending: the account's token.
    if (error instanceof AppError) return error
    throw error
  }
}

/** Notes what became of a reply, unless the forum’s own copy of it came in meanwhile; answers what to tell of it. */
async function recordOutcome(
  tx: Tx,
  of: { userId: string; claimed: Claimed; outcome: Published<null> | AppError; now: Date },
): Promise<SentReply['state'] | AppError> {
  const { userId, claimed, outcome, now } = of
  const waiting = await tx
    .selectFrom('forum_replies')
    .select('id')
    .where('id', '=', claimed.id)
    .where('state', '=', 'sending')
    .forUpdate()
    .executeTakeFirst()
  const drop = () => tx.deleteFrom('forum_replies').where('id', '=', claimed.id).execute()
  const change = (set: object) =>
    tx.updateTable('forum_replies').set(set).where('id', '=', claimed.id).execute()
  if (outcome instanceof AppError) {
    if (waiting) await drop()
    return outcome
  }
  switch (outcome.kind) {
    case 'published':
      await change({ state: 'sent', check_at: null, failure: null })
      await noteContacts(tx, userId, [{ name: claimed.thread.author, at: now }])
      return 'sent'
    case 'refused': {
      const failure = replyRefusal(outcome)
      await change({ state: 'failed', check_at: null, failure })
      return new AppError('forum_reply_refused', { details: { messageText: failure } })
    }
    case 'limited':
    case 'unsent':
      if (waiting) await drop()
      return new AppError('forum_busy', { retryAfterSeconds: Math.max(1, outcome.retryAfterSeconds) })
    case 'unauthorized':
      if (waiting) await drop()
      return new AppError('forum_reconnect')
    case 'doubt':
      if (!waiting) return 'sent'
      await change({ check_at: replyCheck(now) })
      return 'sending'
  }
}

/** Notes when somebody last wrote to others. */
export async function noteContacts(
  tx: Tx,
  userId: string,
  contacts: readonly { name: string; at: Date }[],
): Promise<void> {
  const latest = new Map<string, Date>()
  for (const { name, at } of contacts) {
    const key = name.toLowerCase()
    const before = latest.get(key)
    if (!before || before < at) latest.set(key, at)
  }
  if (latest.size === 0) return
  // In one order, so that no two of them wait for each other.
  const rows = [...latest].sort(([one], [other]) => (one < other ? -1 : 1))
  await sql`
    insert into forum_contacts (user_id, name, last_contact_at)
    select ${userId}, * from unnest(${rows.map(([name]) => name)}::text[], ${rows.map(([, at]) => at)}::timestamptz[])
    on conflict (user_id, name) do update set last_contact_at = excluded.last_contact_at
    where forum_contacts.last_contact_at is null or forum_contacts.last_contact_at < excluded.last_contact_at`.execute(
    tx,
  )
}
