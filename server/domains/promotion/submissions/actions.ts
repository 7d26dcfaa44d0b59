import { sql } from 'kysely'
import type { Told } from '../../../../contract/notifications.ts'
import type { SubmissionFailure } from '../../../../contract/submissions.ts'
import { wallTime } from '../../../../contract/wall-time.ts'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import type { Published } from '../../../ports/forum/port.ts'
import { notify } from '../../notifications/actions.ts'
import { findAccount } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { checkAt, setPlace } from '../schedule/actions.ts'
import { findFacts, findQueue, listTaken, type QueueRow, rhythmOf } from '../schedule/data.ts'
import { tryLockQueue } from '../schedule/queue/actions.ts'
import {
  disconnectedComment,
  disconnectedFailure,
  endOfQueue,
  type Verdict,
  verdictsOf,
} from '../schedule/rules.ts'
import { findSendable, type SendableRow } from './data.ts'
import { nextLook, pauseAfterLate, refusalOf, remedyFor, restAfter } from './rules.ts'

/**
 * Posts at most so many of what is due of one account, one after another. Answers `more` if that many were, `stopped` where
 * the account has to wait, `busy` while its person's queue is being changed, else `through`.
 */
export async function postSome(
  context: Context,
  accountId: string,
  most: number,
): Promise<'more' | 'stopped' | 'busy' | 'through'> {
  const { db, clock } = context
  for (let tried = 0; tried < most; tried++) {
    const item = await db
      .transaction()
      .execute((tx) => claimNext(tx, accountId, clock.now()))
      .catch((error: unknown) => {
        // Somebody else began to post with this account meanwhile.
        if (violates(error, 'scheduled_posts_sending')) return 'none' as const
        throw error
      })
    if (item === 'none') return 'through'
    if (item === 'busy') return 'busy'
    if (item === 'not sent') continue
    if ((await carryOut(context, item)) === 'stop') return 'stopped'
  }
  return 'more'
}

/**
 * Takes the account's next due item to be sent: from here on it is in doubt until an answer says otherwise. What breaks
 * a rule by now is moved on where that helps, else failed. Limits are a person's, whichever account posts.
 */
async function claimNext(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<SendableRow | 'none' | 'busy' | 'not sent'> {
  const owner = await tx
    .selectFrom('forum_accounts')
    .select('user_id')
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!owner) return 'none'
  // Not waited for: a long plan that is being saved would hold up other people's posts.
  if (!(await tryLockQueue(tx, owner.user_id))) return 'busy'
  const { rows } = await sql<{ id: string }>`
    select account.id from forum_accounts as account
    where account.id = ${accountId} and account.revoked_at is null and account.stopped_by is null
      and (account.resting_until is null or account.resting_until <= ${now})
      and exists (select from users where users.id = account.user_id and hidden_at is null)
      and not exists (select from forum_queues where user_id = account.user_id and paused)
      and not exists (select from scheduled_posts where account_id = account.id and state = 'submitting')
    for update skip locked`.execute(tx)
  const [account] = rows
  if (!account) return 'none'
  const due = await tx
    .selectFrom('scheduled_posts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'scheduled')
    .where('by_hand', '=', false)
    .where('post_at', '<=', now)
    .orderBy('post_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  const item = due && (await findSendable(tx, due.id))
  if (!item) return 'none'
  if (!(await isStillAllowed(tx, item, now))) return 'not sent'
  await tx
    .updateTable('scheduled_posts')
    .set({ state: 'submitting', sent_at: now, check_at: checkAt(now) })
    .where('id', '=', item.id)
    .execute()
  return { ...item, state: 'submitting', sent_at: now }
}

/** Whether nothing speaks against posting now; else the item is moved on, or failed with the rule it breaks. */
async function isStillAllowed(tx: Tx, item: SendableRow, now: Date): Promise<boolean> {
  const queue = await findQueue(tx, item.user_id)
  // Later items make room by themselves.
  const facts = await factsOf(tx, item, { queue, counted: 'sent', now })
  const { title, url, flair_id: flairId } = item
  const [broken] = verdictsOf({ title, url, flairId, at: now }, facts)
  if (!broken) return true
  const isTooSoon = ['frequency', 'repost', 'same-media'].includes(broken.rule)
  const later = isTooSoon ? await nextTime(tx, item, queue, now) : null
  if (later) {
    await tx.updateTable('scheduled_posts').set({ post_at: later }).where('id', '=', item.id).execute()
    const on = wallTime(later, queue.time_zone).slice(0, 10)
    await tell(tx, item, { state: 'moved', reason: broken.message, on }, now)
    return false
  }
  await failBroken(tx, item, broken, now)
  return false
}

/** Fails an item with the rule that it breaks, and tells its person. */
export const failBroken = (tx: Tx, item: SendableRow, { rule, message }: Verdict, now: Date) =>
  fail(tx, item, { code: rule, message, remedy: remedyFor(rule) }, now)

/** The facts that decide whether an item breaks a rule now. */
export const factsOf = (
  tx: Tx,
  item: SendableRow,
  { queue, ...of }: { queue: QueueRow; counted: 'sent' | 'ahead'; now: Date },
) =>
  findFacts(tx, {
    userId: item.user_id,
    subredditId: item.subreddit_id,
    accountId: item.account_id,
    mediaKey: item.media_key,
    except: item.id,
    sameMediaMinutes: queue.same_media_minutes,
    ...of,
  })

/** The next time for what came too soon: a gap away from everything else that is to come, and within all limits with it. */
async function nextTime(tx: Tx, item: SendableRow, queue: QueueRow, now: Date): Promise<Date | null> {
  const { limits } = await factsOf(tx, item, { queue, counted: 'ahead', now })
  const taken = await listTaken(tx, {
    userId: item.user_id,
    except: item.id,
    gapMinutes: queue.gap_minutes,
    now,
  })
  return endOfQueue(rhythmOf(queue), { last: null, taken, limits, now })
}

/** Sends an item that is `submitting`, and notes what became of it; `stop` where the account has to wait. */
export async function carryOut(context: Context, item: SendableRow): Promise<'go on' | 'stop'> {
  const { db, clock } = context
  await context.checkpoint('post.claimed')
  const outcome = await sendPost(context, item)
  await context.checkpoint('post.answered')
  return db.transaction().execute((tx) => recordOutcome(tx, item, outcome, clock.now()))
}

type Outcome = Published<{ id: string; permalink: string }> | { kind: 'disconnected' }

async function sendPost(context: Context, item: SendableRow): Promise<Outcome> {
  const { subreddit, title, url, flair_id: flairId, flair_text: flairText } = item
  const post = { subreddit, title, url, flairId, flairText, isNsfw: item.nsfw, isRepeated: item.is_repeated }
  try {
    const account = item.account_id && (await findAccount(context.db, item.account_id))
    if (!account) return { kind: 'disconnected' }
    return await askAs(context, account, (token) => requireForum(context).submit(post, token))
  } catch (error) {
    // Thrown by what comes before sending: the account's token.
    if (!(error instanceof AppError)) throw error
    return error.code === 'forum_reconnect' || error.code === 'forum_account_not_found'
      ? { kind: 'disconnected' }
      : { kind: 'unsent', retryAfterSeconds: error.retryAfterSeconds ?? 0 }
  }
}

/** Notes an outcome, unless somebody else did so meanwhile. */
async function recordOutcome(
  tx: Tx,
  sent: SendableRow,
  outcome: Outcome,
  now: Date,
): Promise<'go on' | 'stop'> {
  const current = await tx
    .selectFrom('scheduled_posts')
    .select('account_id')
    .where('id', '=', sent.id)
    .where('state', '=', 'submitting')
    .where('sent_at', '=', sent.sent_at)
    .forUpdate()
    .executeTakeFirst()
  if (!current) return 'stop'
  // Its account may have been disconnected during the call, or connected again under another id.
  const item = { ...sent, account_id: current.account_id }
  switch (outcome.kind) {
    case 'published': {
      const { id, permalink } = outcome.value
      await notePosted(tx, item, { id, permalink, postedAt: now }, now)
      const { gap_minutes } = await findQueue(tx, item.user_id)
      const pause = pauseAfterLate(item.post_at, gap_minutes, now)
      if (pause) await rest(tx, item.account_id, { until: pause, reason: 'pace' })
      return pause ? 'stop' : 'go on'
    }
    case 'refused':
      return noteRefusal(tx, item, outcome, now)
    case 'limited': {
      const free = new Date(now.getTime() + outcome.retryAfterSeconds * 1000)
      await release(tx, item, now)
      if (outcome.of === 'account') await rest(tx, item.account_id, { until: free, reason: 'forum' })
      else await moveOn(tx, item, free)
      return outcome.of === 'account' ? 'stop' : 'go on'
    }
    case 'unsent':
      await release(tx, item, now)
      await restForFailure(tx, item, outcome.retryAfterSeconds, now)
      return 'stop'
    case 'disconnected':
    case 'unauthorized':
      await release(tx, item, now)
      return 'stop'
    case 'doubt':
      // The forum may still be at it.
      await tx
        .updateTable('scheduled_posts')
        .set({ check_at: new Date(now.getTime() + LOOK_UP_AFTER_MS) })
        .where('id', '=', item.id)
        .execute()
      return 'stop'
  }
}

const LOOK_UP_AFTER_MS = 60_000

/** Has an item that was not taken up wait for its next try, or for its account where that is gone. */
async function release(tx: Tx, item: SendableRow, now: Date): Promise<void> {
  const isLeft = item.account_id === null && !item.by_hand
  const failure = isLeft ? disconnectedFailure() : null
  await tx
    .updateTable('scheduled_posts')
    .set({
      state: failure ? 'failed' : 'scheduled',
      failure: failure && JSON.stringify(failure),
      sent_at: null,
      check_at: null,
    })
    .where('id', '=', item.id)
    .execute()
  if (failure) await tell(tx, item, { state: 'failed', reason: failure.message }, now)
}

/** Has whatever an account was to post in this subreddit before then go up from then on, a gap apart. */
async function moveOn(tx: Tx, item: SendableRow, until: Date): Promise<void> {
  const { gap_minutes: gap } = await findQueue(tx, item.user_id)
  await sql`
    with moved as (
      select id, row_number() over (order by post_at, id) - 1 as place from scheduled_posts
      where user_id = ${item.user_id} and account_id = ${item.account_id} and subreddit_id = ${item.subreddit_id}
        and state = 'scheduled' and not by_hand and post_at < ${until}
    )
    update scheduled_posts as item set post_at = ${until}::timestamptz + moved.place * ${gap}::integer * interval '1 minute'
    from moved where item.id = moved.id and item.state = 'scheduled'`.execute(tx)
}

/** Has an account, if there is one, wait before it posts again. */
export async function rest(
  tx: Tx,
  accountId: string | null,
  { until, reason }: { until: Date; reason: 'forum' | 'pace' },
): Promise<void> {
  if (accountId === null) return
  await tx
    .updateTable('forum_accounts')
    .set({ resting_until: until, rest_reason: reason })
    .where('id', '=', accountId)
    .execute()
}

async function restForFailure(tx: Tx, item: SendableRow, seconds: number, now: Date): Promise<void> {
  if (!item.account_id) return
  const account = await tx
    .updateTable('forum_accounts')
    .set({ failures: sql`failures + 1` })
    .where('id', '=', item.account_id)
    .returning('failures')
    .executeTakeFirst()
  if (!account) return
  const until = new Date(now.getTime() + restAfter(account.failures - 1, seconds))
  await rest(tx, item.account_id, { until, reason: 'forum' })
}

/**
 * Notes that an item is up, at which address; who calls it holds the item. `byPerson`: its person put it up, with this of their accounts, null where
 * that isn’t known or connected; they may have commented already, so the comment is looked up before it is sent.
 */
export async function notePosted(
  tx: Tx,
  item: Pick<SendableRow, 'id' | 'post_id' | 'subreddit_id' | 'account_id' | 'comment' | 'by_hand'>,
  at: { id: string; permalink: string; postedAt: Date; byPerson?: { accountId: string | null } },
  now: Date,
): Promise<void> {
  const byPerson = at.byPerson && { accountId: await stillConnected(tx, at.byPerson.accountId, item) }
  const accountId = byPerson?.accountId ?? item.account_id
  // Without an account that posted it nobody but the person can comment.
  const commenter = byPerson && item.by_hand ? byPerson.accountId : accountId
  const isCommented = item.comment !== '' && commenter !== null
  // It was disconnected while it posted, and comments once it is back.
  const isLeft = item.comment !== '' && accountId === null && !byPerson
  await tx
    .updateTable('scheduled_posts')
    .set({
      state: 'posted',
      failure: null,
      check_at: null,
      forum_post_id: at.id,
      permalink: at.permalink,
      posted_at: at.postedAt,
      account_id: accountId,
      ...(accountId === null ? {} : { awaits_forum_id: null }),
      ...(isLeft
        ? { comment_state: 'failed' as const, comment_failure: JSON.stringify(disconnectedComment()) }
        : {}),
      ...(isCommented
        ? { comment_state: byPerson ? ('sending' as const) : ('due' as const), comment_at: now }
        : {}),
      follow_at: nextLook(0, now),
    })
    .where('id', '=', item.id)
    .execute()
  await setPlace(tx, { id: item.post_id, subreddit_id: item.subreddit_id }, { postedAt: at.postedAt })
  if (accountId && !byPerson)
    await tx
      .updateTable('forum_accounts')
      .set({ failures: 0 })
      .where('id', '=', accountId)
      .where('failures', '>', 0)
      .execute()
}

/** The account if it is there yet; the one that a held item names can't go meanwhile. */
async function stillConnected(
  tx: Tx,
  accountId: string | null,
  held: { account_id: string | null },
): Promise<string | null> {
  if (accountId === null || accountId === held.account_id) return accountId
  const account = await tx
    .selectFrom('forum_accounts')
    .select('id')
    .where('id', '=', accountId)
    .forKeyShare()
    .executeTakeFirst()
  return account?.id ?? null
}

async function noteRefusal(
  tx: Tx,
  item: SendableRow,
  refused: { code: string; message: string },
  now: Date,
): Promise<'go on' | 'stop'> {
  const { failure, closesPair, stopsAccount } = refusalOf(refused, item.is_repeated)
  await fail(tx, item, failure, now)
  const { account_id, subreddit_id } = item
  if (closesPair && account_id)
    await tx
      .insertInto('forum_closed_pairs')
      .values({ account_id, subreddit_id, code: failure.code, message: failure.message, closed_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (stopsAccount && account_id)
    await tx.updateTable('forum_accounts').set({ stopped_by: 'forum' }).where('id', '=', account_id).execute()
  return stopsAccount ? 'stop' : 'go on'
}

/** Fails an item for good, and tells its person why. */
async function fail(tx: Tx, item: SendableRow, failure: SubmissionFailure, now: Date): Promise<void> {
  await tx
    .updateTable('scheduled_posts')
    .set({ state: 'failed', failure: JSON.stringify(failure), check_at: null, awaits_forum_id: null })
    .where('id', '=', item.id)
    .execute()
  await tell(tx, item, { state: 'failed', reason: failure.message }, now)
}

type Change = Omit<Extract<Told, { kind: 'post.changed' }>['data'], 'subreddit' | 'title'>

/** Tells the creator what became of a post. */
export function tell(
  tx: Tx,
  { user_id, title, subreddit }: { user_id: string; title: string; subreddit: string },
  change: Change,
  now: Date,
): Promise<void> {
  return notify(tx, { kind: 'post.changed', person: user_id, data: { subreddit, title, ...change } }, { now })
}
