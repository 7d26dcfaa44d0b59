import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { freeCode } from '../attribution/actions.ts'
import {
  countScheduled,
  findFacts,
  findItem,
  findLastTime,
  findUses,
  type ItemRow,
  listPosters,
  type PosterRow,
  type QueueRow,
  rhythmOf,
} from './data.ts'
import { lockQueue } from './queue/actions.ts'
import { endOfQueue, inTurn, type PostFacts, type Verdict, verdictsOf } from './rules.ts'

const MAX_SCHEDULED = 20_000

export type PostTime = string | 'endOfQueue'

/** A scheduled item: title, time, and poster; a comment or mark that isn’t given is the post’s own. */
export type NewItem = {
  userId: string
  postId: string
  subreddit: string
  title: string | undefined
  comment: string | undefined
  nsfw: boolean | undefined
  flairId: string | null
  flairText: string | null
  postTime: PostTime | 'now'
  accountId: string | undefined
  byHand: boolean | undefined
  /** The recurring slot that it fills, and on which day (YYYY-MM-DD). */
  slot?: { id: string; on: string } | undefined
  publicUrl: string
  now: Date
}

/** The data that scheduling needs whatever the post is. While a person's queue is locked, nobody else adds to it. */
export type Desk = { queue: QueueRow; posters: PosterRow[]; scheduled: number }

/** Locks somebody's queue, and answers what everything that is scheduled meanwhile asks of it. */
export async function openDesk(tx: Tx, userId: string): Promise<Desk> {
  const queue = await lockQueue(tx, userId)
  return { queue, posters: await listPosters(tx, userId), scheduled: await countScheduled(tx, userId) }
}

/** Schedules one item (`scheduleAt`), and answers it as it stands on the timeline. */
export async function schedule(tx: Tx, item: NewItem): Promise<ItemRow> {
  const { id } = await scheduleAt(tx, await openDesk(tx, item.userId), item)
  return (await findItem(tx, item.userId, id)) as ItemRow
}

/**
 * Puts a post on the timeline for one of its usable subreddits, and counts it at the desk. With the time `now` it is begun
 * to be submitted, which the caller carries out. Throws `post_not_found`, `post_subreddit_missing`, `post_on_timeline`,
 * `post_was_posted`, `forum_not_connected`, `timeline_time_past`, `post_breaks_rule`, `queue_without_end`,
 * `timeline_full`, and for `now` what keeps the account from posting.
 */
export async function scheduleAt(
  tx: Tx,
  desk: Desk,
  item: NewItem,
): Promise<Pick<ItemRow, 'id' | 'title' | 'flair_text' | 'post_at'>> {
  const { userId, now } = item
  const { queue } = desk
  requireRoom(desk.scheduled)
  const post = await requirePost(tx, item)
  const byHand = item.byHand ?? false
  const account = chooseAccount(desk.posters, { ...item, byHand, isNow: item.postTime === 'now' })
  const { mediaKey } = addressOf(post, item.publicUrl)
  const title =
    item.title ?? inTurn(post.titles, post.test_titles ? await findUses(tx, post.id) : null)[0] ?? ''
  const facts = await findFacts(tx, {
    userId,
    subredditId: post.subreddit_id,
    accountId: byHand ? null : (account?.id ?? null),
    mediaKey,
    except: null,
    counted: 'timeline',
    sameMediaMinutes: queue.same_media_minutes,
    now,
  })
  const code = await freeCode(tx)
  const { url } = addressOf(post, item.publicUrl, code)
  const words = { title, url, flairId: item.flairId }
  const postAt = await timeFor(tx, { userId, queue, facts, words, postTime: item.postTime, now })
  const isNow = item.postTime === 'now'
  const flair = flairOf(item, facts)
  try {
    const added = await tx
      .insertInto('scheduled_posts')
      .values({
        user_id: userId,
        post_id: post.id,
        subreddit_id: post.subreddit_id,
        account_id: account?.id ?? null,
        by_hand: byHand || !account,
        title,
        comment: item.comment ?? post.comment,
        nsfw: item.nsfw ?? post.nsfw,
        url,
        media_key: mediaKey,
        code,
        ...flair,
        post_at: postAt,
        slot_id: item.slot?.id ?? null,
        slot_on: item.slot?.on ?? null,
        state: isNow ? 'submitting' : 'scheduled',
        ...(isNow ? { sent_at: now, check_at: checkAt(now) } : {}),
        created_at: now,
      })
      .returning(['id', 'title', 'flair_text', 'post_at'])
      .executeTakeFirstOrThrow()
    await setPlace(tx, post, 'scheduled')
    desk.scheduled++
    return added
  } catch (error) {
    if (violates(error, 'scheduled_posts_open')) throw new AppError('post_on_timeline')
    if (violates(error, 'scheduled_posts_sending')) throw new AppError('forum_account_posting')
    throw error
  }
}

/** Throws `timeline_full` where no post more can be scheduled. */
export function requireRoom(scheduled: number): void {
  if (scheduled >= MAX_SCHEDULED) throw new AppError('timeline_full')
}

/** How long an answer may take until what was sent is looked up. */
const CHECK_AFTER_MS = 120_000
/** When what is sent now is looked up, should no answer come. */
export const checkAt = (now: Date) => new Date(now.getTime() + CHECK_AFTER_MS)

type ChosenPost = {
  id: string
  titles: string[]
  test_titles: boolean
  link: string
  comment: string
  nsfw: boolean
  media_id: string | null
  subreddit_id: string
}

/**
 * Locks a post with one of its usable subreddits. Throws `post_not_found`, `post_subreddit_missing`, `post_on_timeline` and
 * `post_was_posted`.
 */
export async function requirePost(
  tx: Tx,
  { userId, postId, subreddit }: { userId: string; postId: string; subreddit: string },
): Promise<ChosenPost> {
  const post = await tx
    .selectFrom('forum_posts')
    .select(['id', 'titles', 'test_titles', 'link', 'comment', 'nsfw', 'media_id'])
    .where('id', '=', postId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw new AppError('post_not_found')
  const chosen = await tx
    .selectFrom('forum_post_subreddits as chosen')
    .innerJoin('subreddits', 'subreddits.id', 'chosen.subreddit_id')
    .select(['subreddits.id', 'chosen.state'])
    .where('chosen.post_id', '=', postId)
    .where(sql`lower(subreddits.name)`, '=', subreddit.toLowerCase())
    .executeTakeFirst()
  if (chosen?.state === 'scheduled') throw new AppError('post_on_timeline')
  if (chosen?.state === 'posted') throw new AppError('post_was_posted')
  if (chosen?.state !== 'usable') throw new AppError('post_subreddit_missing')
  return { ...post, subreddit_id: chosen.id }
}

/** The address to submit for a post, with the code that counts visits, and the key that stands for its picture. */
export function addressOf(
  { link, media_id }: { link: string; media_id: string | null },
  publicUrl: string,
  code: string | null = null,
): { url: string; mediaKey: string } {
  if (media_id) {
    const counted = code === null ? '' : `?from=${code}`
    return { url: `${publicUrl}/media/${media_id}${counted}`, mediaKey: `media:${media_id}` }
  }
  // The page of an embed, which the forum plays.
  const id = link.split('/').at(-1) ?? ''
  return { url: `https://www.redgifs.com/watch/${id}`, mediaKey: `redgifs:${id}` }
}

/**
 * The link that an item takes from its post. Permission to post it although it was posted before applies to that link
 * alone.
 */
export function linked(link: string) {
  const { url, mediaKey } = addressOf({ link, media_id: null }, '')
  return { url, media_key: mediaKey, resubmit: sql<boolean>`resubmit and url = ${url}` }
}

/** Gives an item that is still to go up the link that its post has by now; an item of ours keeps its address. */
export async function takeLink(tx: Tx, { id, post_id }: { id: string; post_id: string }): Promise<void> {
  const { link } = await tx
    .selectFrom('forum_posts')
    .select('link')
    .where('id', '=', post_id)
    .executeTakeFirstOrThrow()
  if (link !== '') await tx.updateTable('scheduled_posts').set(linked(link)).where('id', '=', id).execute()
}

/**
 * The account of these that posts: the one that is named, else the first that is connected; none only for what is posted
 * by hand. Throws `forum_account_not_found`, `forum_not_connected`, and with `isNow` what keeps it from posting.
 */
export function chooseAccount(
  accounts: readonly PosterRow[],
  of: { accountId: string | undefined; byHand: boolean; isNow: boolean; now: Date },
): PosterRow | undefined {
  const account =
    of.accountId === undefined
      ? accounts.find(({ revoked_at }) => revoked_at === null)
      : accounts.find(({ id }) => id === of.accountId)
  if (!account && of.accountId !== undefined) throw new AppError('forum_account_not_found')
  if (!account && !of.byHand) throw new AppError('forum_not_connected')
  if (account && of.isNow) {
    if (account.revoked_at) throw new AppError('forum_reconnect')
    if (account.stopped_by) throw new AppError('forum_account_stopped')
    const { resting_until: until, rest_reason: reason } = account
    // Our own pace is for what goes up by itself.
    if (until && until > of.now && reason === 'forum')
      throw new AppError('forum_account_resting', {
        retryAfterSeconds: Math.ceil((until.getTime() - of.now.getTime()) / 1000),
      })
  }
  return account
}

/** When it goes up, once it breaks no rule. */
async function timeFor(
  tx: Tx,
  of: {
    userId: string
    queue: QueueRow
    facts: PostFacts
    words: { title: string; url: string; flairId: string | null }
    postTime: PostTime | 'now'
    now: Date
  },
): Promise<Date> {
  const { userId, queue, facts, words, postTime, now } = of
  const given = postTime === 'endOfQueue' ? null : postTime === 'now' ? now : new Date(postTime)
  if (given && postTime !== 'now' && given <= now) throw new AppError('timeline_time_past')
  refuseBroken(words, given, facts)
  if (given) return given
  const last = await findLastTime(tx, userId)
  const slot = endOfQueue(rhythmOf(queue), { last, limits: facts.limits, now })
  if (!slot) throw new AppError('queue_without_end')
  return slot
}

function refuseBroken(
  words: { title: string; url: string; flairId: string | null },
  at: Date | null,
  facts: PostFacts,
): void {
  const [broken, ...others] = verdictsOf({ ...words, at }, facts)
  if (broken) throw new RuleBroken(broken, others)
}

/** `post_breaks_rule`, with the most important rule that a post breaks, and the others. */
export class RuleBroken extends AppError {
  readonly verdict: Verdict
  readonly others: readonly Verdict[]

  constructor(verdict: Verdict, others: readonly Verdict[]) {
    super('post_breaks_rule', { details: { [verdict.rule]: verdict.message } })
    this.verdict = verdict
    this.others = others
  }
}

/** A flair's own text is only sent where the subreddit lets people write it. */
function flairOf(
  { flairId, flairText }: { flairId: string | null; flairText: string | null },
  { flair }: PostFacts,
): { flair_id: string | null; flair_text: string | null } {
  const template = flair?.find(({ id }) => id === flairId)
  return { flair_id: flairId, flair_text: flairId && template?.editable !== false ? flairText || null : null }
}

/** Notes where a post is in a subreddit. */
export async function setPlace(
  tx: Tx,
  { id, subreddit_id }: { id: string; subreddit_id: string },
  state: 'usable' | 'scheduled' | { postedAt: Date },
): Promise<void> {
  const set =
    typeof state === 'string'
      ? { state, posted_at: null }
      : { state: 'posted' as const, posted_at: state.postedAt }
  await tx
    .updateTable('forum_post_subreddits')
    .set(set)
    .where('post_id', '=', id)
    .where('subreddit_id', '=', subreddit_id)
    .execute()
}

/** Locks an item that is on somebody’s timeline. Throws `timeline_item_not_found`. */
export async function lockItem(tx: Tx, userId: string, itemId: string) {
  const row = await tx
    .selectFrom('scheduled_posts')
    .selectAll()
    .where('id', '=', itemId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.state === 'canceled') throw new AppError('timeline_item_not_found')
  return row
}

export const CHANGEABLE = ['scheduled', 'waiting', 'failed']

/**
 * Changes what is on the timeline; what failed is scheduled again. Throws `timeline_item_not_found`,
 * `timeline_item_settled`, `forum_reconnect` of what an account left that is disconnected, and what scheduling throws.
 */
export async function editItem(
  tx: Tx,
  change: {
    userId: string
    itemId: string
    title?: string | undefined
    comment?: string | undefined
    nsfw?: boolean | undefined
    flairId?: string | null | undefined
    flairText?: string | null | undefined
    postTime?: PostTime | undefined
    accountId?: string | undefined
    byHand?: boolean | undefined
    resubmit?: boolean | undefined
    now: Date
  },
): Promise<ItemRow> {
  const { userId, itemId, now } = change
  const queue = await lockQueue(tx, userId)
  const before = await lockItem(tx, userId, itemId)
  if (!CHANGEABLE.includes(before.state)) throw new AppError('timeline_item_settled')
  const byHand = change.byHand ?? before.by_hand
  // Its account is gone; no other posts it unless its person names one.
  if (!before.account_id && !before.by_hand && !byHand && change.accountId === undefined)
    throw new AppError('forum_reconnect')
  // A time that has come meanwhile stays for what is still to be posted; what failed gets a new one.
  const isKept = change.postTime === undefined && (before.state !== 'failed' || before.post_at > now)
  // Its person was shown the link that it has.
  const isWaiting = before.state === 'waiting' && isKept && byHand
  if (!isWaiting) await takeLink(tx, before)
  const item = isWaiting ? before : await lockItem(tx, userId, itemId)
  const accountId = change.accountId ?? item.account_id ?? undefined
  const posters = await listPosters(tx, userId)
  const account = chooseAccount(posters, { accountId, byHand, isNow: false, now })
  const facts = await findFacts(tx, {
    userId,
    subredditId: item.subreddit_id,
    accountId: byHand ? null : (account?.id ?? null),
    mediaKey: item.media_key,
    except: itemId,
    counted: 'timeline',
    sameMediaMinutes: queue.same_media_minutes,
    now,
  })
  const flairId = change.flairId === undefined ? item.flair_id : change.flairId || null
  const flairText = change.flairText === undefined ? item.flair_text : change.flairText
  const words = { title: change.title ?? item.title, url: item.url, flairId }
  const postTime = change.postTime ?? 'endOfQueue'
  if (isKept) refuseBroken(words, null, facts)
  const postAt = isKept ? item.post_at : await timeFor(tx, { userId, queue, facts, words, postTime, now })
  await tx
    .updateTable('scheduled_posts')
    .set({
      title: words.title,
      comment: change.comment ?? item.comment,
      nsfw: change.nsfw ?? item.nsfw,
      ...flairOf({ flairId, flairText }, facts),
      post_at: postAt,
      account_id: account?.id ?? null,
      by_hand: byHand || !account,
      resubmit: change.resubmit ?? item.resubmit,
      state: isWaiting ? 'waiting' : 'scheduled',
      failure: null,
      awaits_forum_id: null,
    })
    .where('id', '=', itemId)
    .execute()
  return (await findItem(tx, userId, itemId)) as ItemRow
}
