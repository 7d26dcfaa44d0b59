import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Failure, ForumMessage, Priority } from '../../../../ports/forum/port.ts'
import { type AccountRow, findAccount } from '../../accounts/data.ts'
import { askAs, requireForum } from '../../accounts/tokens/actions.ts'
import { openInboxes } from '../actions.ts'
import { listDueInboxes, listInboxes, listUnreadAuthors } from '../data.ts'
import { noteContacts } from '../replying/actions.ts'
import {
  askableFrom,
  dueOnRequest,
  inOrder,
  isReply,
  moderatesKeptSince,
  nextSync,
  sameName,
  syncAgain,
  syncLease,
  threadKey,
  threadSubject,
  unconfirmedBefore,
  unreadBefore,
  watchedSince,
} from '../rules.ts'

const INBOXES_AT_ONCE = 4
const MAX_INBOXES = 60
/** A forum that is down isn’t asked for all of them. */
const MAX_FAILURES = 3

/** Reads every inbox that is due, and gives up replies that nobody can look up. */
export async function syncDueInboxes(context: Context): Promise<void> {
  const { db, clock, forum } = context
  const now = clock.now()
  await db.transaction().execute((tx) => giveUpReplies(tx, now))
  if (!forum) return
  const limit = pLimit(INBOXES_AT_ONCE)
  const due = await listDueInboxes(db, { now, watchedSince: watchedSince(now), limit: MAX_INBOXES })
  let failures = 0
  await Promise.all(
    due.map((id) =>
      limit(async () => {
        if (failures >= MAX_FAILURES) return
        if ((await syncInbox(context, id, 'background')) === 'unavailable') failures++
      }),
    ),
  )
}

/**
 * Reads all inboxes of somebody now, but for those that were read a moment ago; where that is all of them, it answers from
 * when on one is read, else null. Throws `forum_off`.
 */
export async function syncOwnInboxes(context: Context, userId: string): Promise<Date | null> {
  const { db, clock } = context
  requireForum(context)
  await db.transaction().execute((tx) => openInboxes(tx, userId, clock.now()))
  const inboxes = await listInboxes(db, userId)
  const connected = inboxes.filter(({ revoked_at }) => revoked_at === null)
  const asked = clock.now()
  await Promise.all(connected.map(({ id }) => syncInbox(context, id, 'interactive')))
  const from = connected.flatMap(({ next_sync_at: due }) => (due ? [askableFrom(due)] : []))
  const [first] = from.toSorted((a, b) => +a - +b)
  return first && first > asked ? first : null
}

/** Reads an inbox and the box of sent messages, unless somebody else does; keeps what was known where they can’t be read. */
async function syncInbox(
  context: Context,
  accountId: string,
  priority: Priority,
): Promise<'unavailable' | 'reconnect' | null> {
  const { db, clock } = context
  const asked = clock.now()
  const dueBefore = priority === 'interactive' ? dueOnRequest(asked) : asked
  const isOurs = await db.transaction().execute((tx) => claimInbox(tx, accountId, { dueBefore, now: asked }))
  const account = isOurs && (await findAccount(db, accountId))
  if (!account) return null
  const found = await readBoxes(context, account, priority)
  await db.transaction().execute((tx) => keepBoxes(tx, account, found, { asked, now: clock.now() }))
  if (!found.failure) await readModerated(context, account, priority)
  return found.failure?.kind ?? null
}

async function claimInbox(
  tx: Tx,
  accountId: string,
  { dueBefore, now }: { dueBefore: Date; now: Date },
): Promise<boolean> {
  const taken = await tx
    .updateTable('forum_inboxes')
    .set({ next_sync_at: syncLease(now) })
    .where('account_id', '=', accountId)
    .where('next_sync_at', '<=', dueBefore)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

type Boxes = {
  /** Null where the inbox couldn’t be read. */
  received: { messages: ForumMessage[]; reachesTo: Date | null } | null
  /** Null where the box of sent messages couldn’t be read. */
  sent: ForumMessage[] | null
  failure: { kind: 'unavailable' | 'reconnect'; retryAfterSeconds?: number } | null
}

const unavailable = (failure: Failure): Boxes['failure'] => ({
  kind: 'unavailable',
  ...(failure.kind === 'busy' ? { retryAfterSeconds: failure.retryAfterSeconds } : {}),
})

async function readBoxes(context: Context, account: AccountRow, priority: Priority): Promise<Boxes> {
  const forum = requireForum(context)
  const boxes: Boxes = { received: null, sent: null, failure: null }
  try {
    const inbox = await askAs(context, account, (token) => forum.inbox(token, priority))
    if (inbox.kind !== 'answered') return { ...boxes, failure: unavailable(inbox) }
    const isOwn = ({ author }: ForumMessage) => sameName(author, account.name)
    const messages = inbox.value.messages.filter((message) => !isOwn(message))
    const box = await askAs(context, account, (token) => forum.sentMessages(token, priority))
    const sent = box.kind === 'answered' ? box.value.filter(isOwn) : null
    if (messages.length > 0 || box.kind !== 'answered')
      return {
        received: messages.length > 0 ? { ...inbox.value, messages } : null,
        sent,
        failure: box.kind === 'answered' ? null : unavailable(box),
      }
    // No message at all: there is none, or this account’s are shown as threads alone, or nowhere.
    const threads = await askAs(context, account, (token) => forum.threads(token, priority))
    if (threads.kind !== 'answered') return { ...boxes, sent, failure: unavailable(threads) }
    const byOthers = threads.value.filter((message) => !isOwn(message))
    return {
      received: { messages: byOthers, reachesTo: byOthers.length > 0 ? oldestOf(byOthers) : null },
      sent: [...(sent ?? []), ...threads.value.filter(isOwn)],
      failure: null,
    }
  } catch (error) {
    // Thrown by what the account's token needs.
    if (!(error instanceof AppError)) throw error
    const kind = error.code === 'forum_reconnect' ? 'reconnect' : 'unavailable'
    const { retryAfterSeconds = 0 } = error
    return { ...boxes, failure: { kind, retryAfterSeconds } }
  }
}

const oldestOf = (messages: readonly ForumMessage[]) =>
  new Date(Math.min(...messages.map(({ sentAt }) => sentAt.getTime())))

/** Stores what was read. A second sync of the same waits here, so that nothing is stored twice. */
async function keepBoxes(
  tx: Tx,
  account: AccountRow,
  { received, sent, failure }: Boxes,
  { asked, now }: { asked: Date; now: Date },
): Promise<void> {
  const { rows } = await sql`
    select from forum_inboxes as inbox join forum_accounts as account on account.id = inbox.account_id
    where inbox.account_id = ${account.id} for update of inbox for key share of account`.execute(tx)
  if (rows.length === 0) return
  await keepMessages(tx, account, { received: received?.messages ?? [], sent: sent ?? [] })
  if (received) await noteMissing(tx, account.id, received)
  if (sent) {
    await noteContacts(
      tx,
      account.user_id,
      sent
        .filter(({ recipient }) => isPerson(recipient))
        .map(({ recipient, sentAt }) => ({ name: recipient, at: sentAt })),
    )
    await sql`
      update forum_replies set state = 'unknown', check_at = null from forum_threads as thread
      where thread.id = thread_id and thread.account_id = ${account.id}
        and state = 'sending' and created_at <= ${unconfirmedBefore(asked)}`.execute(tx)
  }
  await tx
    .updateTable('forum_inboxes')
    .set({
      failure: failure?.kind ?? null,
      next_sync_at: failure ? syncAgain(now, failure.retryAfterSeconds) : nextSync(now),
      ...(failure ? {} : { synced_at: asked }),
    })
    .where('account_id', '=', account.id)
    .execute()
}

const isPerson = (name: string) => /^[\w-]{1,50}$/.test(name)

type Fresh = { thread_id: string; message: ForumMessage; is_own: boolean }

async function keepMessages(
  tx: Tx,
  account: AccountRow,
  { received, sent }: { received: readonly ForumMessage[]; sent: readonly ForumMessage[] },
): Promise<void> {
  const all = [...received, ...sent]
  const named = all.flatMap(({ name, parentName, rootName }) => [name, parentName, rootName])
  const threadOf = await findKnown(tx, account.id, named)
  const isNew = ({ name }: ForumMessage) => !threadOf.has(name)
  const [newReceived, newSent] = [inOrder(received.filter(isNew)), inOrder(sent.filter(isNew))]
  if (newReceived.length + newSent.length === 0) return
  const byKey = await findByKeys(tx, account.id, [
    ...newReceived.map((message) => threadKey(message, message.author)),
    ...newSent.map((message) => threadKey(message, message.recipient)),
  ])
  const knownThread = ({ rootName, parentName }: ForumMessage) =>
    threadOf.get(rootName ?? '') ?? threadOf.get(parentName ?? '')
  const fresh: Fresh[] = []
  for (const message of newReceived) {
    const key = threadKey(message, message.author)
    const thread_id =
      knownThread(message) ?? byKey.get(key) ?? (await createThread(tx, account, { key, message }))
    byKey.set(key, thread_id)
    threadOf.set(message.name, thread_id)
    fresh.push({ thread_id, message, is_own: false })
  }
  const waiting = await listWaiting(tx, account.id)
  for (const message of newSent) {
    const known = knownThread(message) ?? byKey.get(threadKey(message, message.recipient))
    const at = waiting.findIndex(
      (reply) =>
        isReply(message, reply) &&
        (known ? reply.thread_id === known : sameName(reply.author, message.recipient)),
    )
    // The forum's own copy takes the place of what was written here.
    const [reply] = at < 0 ? [] : waiting.splice(at, 1)
    if (reply) await tx.deleteFrom('forum_replies').where('id', '=', reply.id).execute()
    const thread_id = known ?? reply?.thread_id
    if (!thread_id) continue
    threadOf.set(message.name, thread_id)
    fresh.push({ thread_id, message, is_own: true })
  }
  await insertFresh(tx, account.id, fresh)
}

async function findKnown(tx: Tx, accountId: string, names: (string | null)[]): Promise<Map<string, string>> {
  const wanted = [...new Set(names.filter((name) => name !== null))]
  const rows = await tx
    .selectFrom('forum_messages')
    .select(['name', 'thread_id'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`name = any(${wanted}::text[])`)
    .execute()
  return new Map(rows.map(({ name, thread_id }) => [name, thread_id]))
}

async function findByKeys(tx: Tx, accountId: string, keys: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('forum_threads')
    .select(['id', 'key'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .execute()
  return new Map(rows.map(({ id, key }) => [key, id]))
}

async function createThread(
  tx: Tx,
  account: AccountRow,
  { key, message }: { key: string; message: ForumMessage },
): Promise<string> {
  const { id } = await tx
    .insertInto('forum_threads')
    .values({
      user_id: account.user_id,
      account_id: account.id,
      key,
      author: message.author,
      subject: threadSubject(message.subject),
      last_received_at: message.sentAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Replies written here that the forum’s box hasn’t shown yet, the oldest first. */
async function listWaiting(tx: Tx, accountId: string) {
  return tx
    .selectFrom('forum_replies')
    .innerJoin('forum_threads', 'forum_threads.id', 'thread_id')
    .select(['forum_replies.id', 'thread_id', 'author', 'body', 'created_at'])
    .where('account_id', '=', accountId)
    .where('state', '<>', 'failed')
    .orderBy('created_at')
    .execute()
}

async function insertFresh(tx: Tx, accountId: string, fresh: readonly Fresh[]): Promise<void> {
  if (fresh.length === 0) return
  await tx
    .insertInto('forum_messages')
    .values(
      fresh.map(({ thread_id, message, is_own }) => ({
        ...{ thread_id, is_own, account_id: accountId },
        ...{ name: message.name, author: message.author, body: message.body, sent_at: message.sentAt },
      })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .execute()
  const received = fresh.filter(({ is_own }) => !is_own)
  // A new message shows the thread again; a late, older one changes nothing.
  await sql`
    update forum_threads as thread set
      last_received_at = greatest(thread.last_received_at, latest.at),
      skipped_until = case when latest.at >= thread.last_received_at then null else thread.skipped_until end,
      deleted_at = case when latest.at >= thread.last_received_at then null else thread.deleted_at end
    from (
      select id, max(at) as at from unnest(${received.map(({ thread_id }) => thread_id)}::uuid[],
        ${received.map(({ message }) => message.sentAt)}::timestamptz[]) as one (id, at) group by id
    ) as latest where thread.id = latest.id`.execute(tx)
}

/** Notes which threads should be among what was read and aren’t, and which are there again. */
async function noteMissing(
  tx: Tx,
  accountId: string,
  { messages, reachesTo }: { messages: readonly ForumMessage[]; reachesTo: Date | null },
): Promise<void> {
  const names = messages.map(({ name }) => name)
  await sql`
    update forum_threads as thread set out_of_sync = not out_of_sync
    where account_id = ${accountId} and deleted_at is null
      and (${reachesTo}::timestamptz is null or last_received_at > ${reachesTo})
      and out_of_sync = exists (
        select from forum_messages where account_id = ${accountId} and thread_id = thread.id and name = any(${names}::text[]))`.execute(
    tx,
  )
}

/** Replies whose account nobody can ask anymore, or that couldn’t be looked up for long, are left to their person. */
async function giveUpReplies(tx: Tx, now: Date): Promise<void> {
  await sql`
    update forum_replies set state = 'unknown', check_at = null
    from forum_threads as thread join forum_accounts as account on account.id = thread.account_id
    where thread.id = thread_id and state = 'sending' and check_at <= ${now} and (
      created_at <= ${unreadBefore(now)}
      or (account.revoked_at is not null and created_at <= ${unconfirmedBefore(now)}))`.execute(tx)
}

/** Authors that are read of at a time: each is a call of its own. */
const AUTHORS_AT_A_TIME = 8

/** Reads what the authors of the latest threads moderate, of those nobody read it of today. */
async function readModerated(context: Context, account: AccountRow, priority: Priority): Promise<void> {
  const { db, clock } = context
  const readSince = moderatesKeptSince(clock.now())
  const asked = { accountId: account.id, readSince, limit: AUTHORS_AT_A_TIME }
  for (const name of await listUnreadAuthors(db, asked)) {
    const answer = await requireForum(context).moderated(name, priority)
    if (answer.kind !== 'answered' && answer.kind !== 'malformed' && answer.kind !== 'forbidden') return
    const read = {
      moderates_read_at: clock.now(),
      // A failure to read one author must not keep the others waiting.
      ...(answer.kind === 'answered' ? { moderates: answer.value } : {}),
    }
    await db.transaction().execute((tx) =>
      tx
        .insertInto('forum_contacts')
        .values({ user_id: account.user_id, name, ...read })
        .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet(read))
        .execute(),
    )
  }
}
