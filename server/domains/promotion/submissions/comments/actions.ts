import { sql } from 'kysely'
import type { SubmissionFailure } from '../../../../../contract/submissions.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Published } from '../../../../ports/forum/port.ts'
import { findAccount } from '../../accounts/data.ts'
import { askAs, requireForum } from '../../accounts/tokens/actions.ts'
import { commentOf } from '../../attribution/rules.ts'
import { lockItem } from '../../schedule/actions.ts'
import { UNPOSTABLE } from '../../schedule/rules.ts'
import { rest, tell } from '../actions.ts'
import { findSendable, isTakenDown, listDueComments, type SendableRow } from '../data.ts'
import { refusalOf, restAfter } from '../rules.ts'

/** How long after its post, or after its person asked again, a first comment is still worth sending. */
const PATIENCE_MS = 24 * 3600 * 1000
/** How long an answer may take until the post's comments are looked at. */
const LEASE_MS = 120_000

/**
 * Sends at most so many of an account's first comments that are due, one after another; what is in doubt is looked up
 * before it is sent again. Answers `more` if that many were, `stopped` where the forum didn't take one, else `through`.
 */
export async function sendComments(
  context: Context,
  accountId: string | null,
  most: number,
): Promise<'more' | 'stopped' | 'through'> {
  const { db, clock } = context
  let count = 0
  for (const id of await listDueComments(db, { accountId, now: clock.now(), limit: most })) {
    const claimed = await db.transaction().execute((tx) => claimComment(tx, id, clock.now()))
    // Another worker holds it, or its account has to wait by now.
    if (!claimed) continue
    // The next ones would wait as long for no answer.
    if (STOPPING.has(await sendComment(context, claimed))) return 'stopped'
    count++
  }
  return count === most ? 'more' : 'through'
}

const STOPPING: ReadonlySet<string> = new Set<Outcome['kind']>(['doubt', 'unsent', 'limited'])

type Claimed = { item: SendableRow; wasSent: boolean }

async function claimComment(tx: Tx, itemId: string, now: Date): Promise<Claimed | null> {
  const { rows } = await sql<{ was_sent: boolean }>`
    update scheduled_posts as item
    set comment_state = 'sending', comment_at = ${new Date(now.getTime() + LEASE_MS)}, comment_tries = item.comment_tries + 1
    from (select id, comment_state from scheduled_posts where id = ${itemId} for update) as before
    where item.id = before.id and before.comment_state in ('due', 'sending') and item.comment_at <= ${now}
      and exists (select from users where users.id = item.user_id and hidden_at is null)
      and not exists (select from forum_accounts as account where account.id = item.account_id
        and (account.stopped_by is not null or (account.resting_until > ${now} and account.rest_reason = 'forum')))
    returning before.comment_state = 'sending' as was_sent`.execute(tx)
  const [claimed] = rows
  const item = claimed && (await findSendable(tx, itemId))
  return item ? { item, wasSent: claimed.was_sent } : null
}

/** Answers what became of it. */
async function sendComment(context: Context, { item, wasSent }: Claimed): Promise<Outcome['kind']> {
  const { db, clock } = context
  const outcome = await publishComment(context, item, wasSent)
  await context.checkpoint('comment.answered')
  await db.transaction().execute((tx) => recordOutcome(tx, item, outcome, clock.now()))
  return outcome.kind
}

/**
 * `revoked`: its account has to be connected again before it can be sent, or looked up where it is in doubt. `taken down`:
 * the operator took down the item that its post shows.
 */
type Outcome =
  | Published<null>
  | { kind: 'revoked'; account: string; isInDoubt: boolean }
  | { kind: 'taken down' }

async function publishComment(context: Context, item: SendableRow, wasSent: boolean): Promise<Outcome> {
  const forum = requireForum(context)
  let isInDoubt = wasSent
  const account = item.account_id && (await findAccount(context.db, item.account_id))
  try {
    if (!account || !item.forum_post_id) return { kind: 'unauthorized' }
    const postId = item.forum_post_id
    const text = commentOf(item, context.publicUrl)
    if (wasSent) {
      const there = await askAs(context, account, (token) => forum.comments(postId, token))
      if (there.kind !== 'answered') return { kind: 'doubt', detail: `not looked up: ${there.kind}` }
      const isThere = there.value.some(
        ({ author, text: body }) =>
          author.toLowerCase() === account.name.toLowerCase() && body.trim() === text.trim(),
      )
      if (isThere) return { kind: 'published', value: null }
      isInDoubt = false
    }
    if (await isTakenDown(context.db, item.media_key)) return { kind: 'taken down' }
    return await askAs(context, account, (token) => forum.comment({ postId, text }, token))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'forum_reconnect' && account)
      return { kind: 'revoked', account: account.name, isInDoubt }
    if (isInDoubt) return { kind: 'doubt', detail: error.code }
    return { kind: 'unsent', retryAfterSeconds: error.retryAfterSeconds ?? 0 }
  }
}

async function recordOutcome(tx: Tx, item: SendableRow, outcome: Outcome, now: Date): Promise<void> {
  const set = (values: object) =>
    tx
      .updateTable('scheduled_posts')
      .set(values)
      .where('id', '=', item.id)
      .where('comment_state', '=', 'sending')
      // Another worker may have taken it up since, which counts a try.
      .where('comment_tries', '=', item.comment_tries)
      .executeTakeFirst()
  const giveUp = async (code: string, message: string, remedy: SubmissionFailure['remedy'] = 'none') => {
    const { numUpdatedRows } = await set({
      comment_state: 'failed',
      comment_at: null,
      comment_failure: JSON.stringify({ code, message, remedy }),
    })
    if (numUpdatedRows > 0n) await tell(tx, item, { state: 'uncommented', reason: message }, now)
  }
  // Like its post it waits while the forum is down, or its account has to be connected again.
  const since = item.comment_since ?? item.posted_at
  const isOver = since !== null && now.getTime() - since.getTime() > PATIENCE_MS
  switch (outcome.kind) {
    case 'published':
      await set({ comment_state: 'posted', comment_at: null, comment_failure: null })
      return
    case 'refused':
      await giveUp(outcome.code, refusalOf(outcome).failure.message)
      return
    case 'unauthorized':
      await giveUp('disconnected', 'The account isn’t connected anymore.')
      return
    case 'taken down':
      await giveUp('media', UNPOSTABLE.quarantined)
      return
    case 'doubt':
      // It stays one that was sent until it could be looked up.
      if (isOver) return giveUp('unconfirmed', 'We couldn’t confirm that it was posted.')
      await set({
        comment_at: new Date(now.getTime() + Math.max(LEASE_MS, restAfter(item.comment_tries, 0))),
      })
      return
    case 'limited': {
      const free = new Date(now.getTime() + outcome.retryAfterSeconds * 1000)
      // To be told to wait is no try, however often the account posts meanwhile.
      await set({ comment_state: 'due', comment_at: free, comment_tries: item.comment_tries - 1 })
      // A limit of the account’s holds for whatever it publishes.
      if (outcome.of === 'account') await rest(tx, item.account_id, { until: free, reason: 'forum' })
      return
    }
    case 'revoked': {
      const { account, isInDoubt } = outcome
      const message = `u/${account} lost its connection. Connect it again, then post the comment again.`
      if (isOver) return giveUp('forum_reconnect', message, 'reconnect')
      const comment_at = new Date(now.getTime() + restAfter(item.comment_tries, 0))
      await set({ comment_state: isInDoubt ? 'sending' : 'due', comment_at })
      return
    }
    case 'unsent': {
      if (isOver) return giveUp('down', 'The forum didn’t accept it for a day.')
      const wait = restAfter(item.comment_tries, outcome.retryAfterSeconds)
      await set({ comment_state: 'due', comment_at: new Date(now.getTime() + wait) })
    }
  }
}

/**
 * Sends a first comment again that wasn't posted, after a look whether it is there. Throws `timeline_item_not_found`,
 * `timeline_item_settled`, and `forum_not_connected` where no account of its person's posted it, or none that is connected.
 */
export async function retryComment(
  tx: Tx,
  { userId, itemId, now }: { userId: string; itemId: string; now: Date },
): Promise<void> {
  const item = await lockItem(tx, userId, itemId)
  if (item.comment_state !== 'failed') throw new AppError('timeline_item_settled')
  if (item.account_id === null) throw new AppError('forum_not_connected')
  await tx
    .updateTable('scheduled_posts')
    .set({
      comment_state: 'sending',
      comment_at: now,
      comment_since: now,
      comment_tries: 0,
      comment_failure: null,
    })
    .where('id', '=', itemId)
    .execute()
}
