import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError, violates } from '../../../../errors.ts'
import type { ForumPost } from '../../../../ports/forum/port.ts'
import { listAccounts } from '../../accounts/data.ts'
import { askIfConnected } from '../../accounts/tokens/actions.ts'
import { failureOf } from '../../present.ts'
import { findQueue } from '../../schedule/data.ts'
import { verdictsOf } from '../../schedule/rules.ts'
import { factsOf, failBroken, notePosted, tell } from '../actions.ts'
import { findForumUsername, findSendable, listDueByHand, listLookedFor } from '../data.ts'
import { isUnused, submissionsOf } from '../doubts/actions.ts'
import { nextSearch, sentAmong } from '../rules.ts'

/** A post as its person found it, and which of their connected accounts made it. */
type Found = { id: string; permalink: string; postedAt: Date; accountId: string | null }

/**
 * The forum's view of a post that a person says is theirs, by its id; null while the forum is down or busy. Throws
 * `forum_post_not_found`, `forum_link_invalid` for another subreddit, `forum_post_of_other`, `forum_refused` and
 * `forum_malformed`.
 */
export async function lookUpPost(
  context: Context,
  { userId, subreddit, id }: { userId: string; subreddit: string; id: string },
): Promise<Found | null> {
  const accounts = await listAccounts(context.db, userId)
  const post = await findOnForum(context, id, accounts)
  if (post === 'no answer') return null
  if (!post) throw new AppError('forum_post_not_found')
  if (post.subreddit.toLowerCase() !== subreddit.toLowerCase()) throw new AppError('forum_link_invalid')
  const isBy = (name: string) => name.toLowerCase() === post.author.toLowerCase()
  const account = accounts.find(({ name }) => isBy(name))
  const username = await findForumUsername(context.db, userId)
  // Without a named account, this person can't be told from anybody else.
  const isNamed = accounts.length > 0 || username !== ''
  if (isNamed && !account && !isBy(username)) throw new AppError('forum_post_of_other')
  return foundOf(post, account && account.revoked_at === null ? account.id : null)
}

/** A post as the forum shows it to everybody, else to one of these accounts: that of a private subreddit. */
async function findOnForum(
  context: Context,
  id: string,
  accounts: readonly { id: string }[],
): Promise<ForumPost | undefined | 'no answer'> {
  const { forum } = context
  const shown = await forum?.posts([id], 'anybody', 'interactive')
  if (shown?.kind === 'forbidden' || shown?.kind === 'malformed') throw failureOf(shown)
  if (!forum || shown?.kind !== 'answered') return 'no answer'
  const [post] = shown.value
  if (post) return post
  const answers = await Promise.all(
    accounts.map((account) =>
      askIfConnected(context, account.id, (accessToken) => forum.posts([id], { accessToken }, 'interactive')),
    ),
  )
  const found = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []))[0]
  return found ?? (answers.includes('no answer') ? 'no answer' : undefined)
}

const foundOf = ({ id, permalink, createdAt }: ForumPost, accountId: string | null): Found => ({
  id,
  permalink,
  postedAt: createdAt,
  accountId,
})

/** Notes that a person posted an item by hand, or found it there. Throws `forum_link_used` and `timeline_item_settled`. */
export async function confirmPosted(
  tx: Tx,
  of: { userId: string; itemId: string; found: Found; now: Date },
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
    await notePosted(tx, item, { ...of.found, byPerson: { accountId: of.found.accountId } }, of.now)
  } catch (error) {
    if (violates(error, 'scheduled_posts_forum_post')) throw new AppError('forum_link_used')
    throw error
  }
}

const AT_ONCE = 500

/** Tells people of what they post by hand and whose time has come; what breaks a rule by now fails with its name. */
export async function tellOfDue(tx: Tx, now: Date): Promise<void> {
  for (const id of await listDueByHand(tx, now, AT_ONCE)) {
    const due = await tx
      .selectFrom('scheduled_posts')
      .select('id')
      .where('id', '=', id)
      .where('state', '=', 'scheduled')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    const item = due && (await findSendable(tx, id))
    if (!item) continue
    const { title, url, flair_id: flairId } = item
    const queue = await findQueue(tx, item.user_id)
    // Its person may post it with any account, and when they like.
    const facts = await factsOf(tx, { ...item, account_id: null }, { queue, counted: 'sent', now })
    const [broken] = verdictsOf({ title, url, flairId, at: null }, facts)
    if (broken) {
      await failBroken(tx, item, broken, now)
      continue
    }
    await tx
      .updateTable('scheduled_posts')
      .set({ state: 'waiting', check_at: nextSearch(item.post_at, now) })
      .where('id', '=', id)
      .execute()
    await tell(tx, item, { state: 'waiting', reason: null }, now)
  }
}

/** A search ends after so many accounts without an answer, or this long: the next one and doubts wait for its end. */
const MAX_UNANSWERED = 3
const MAX_SEARCH_MS = 90_000

/** Looks for what waits for its person among the latest posts of its account, with one call for each account. */
export async function findPostedByHand(context: Context): Promise<void> {
  const { db, clock } = context
  const endsAt = clock.now().getTime() + MAX_SEARCH_MS
  let unanswered = 0
  const waiting = await listLookedFor(db, clock.now(), AT_ONCE)
  for (const [accountId, items] of Map.groupBy(waiting, ({ account_id }) => account_id)) {
    if (unanswered >= MAX_UNANSWERED || clock.now().getTime() >= endsAt) return
    await db.transaction().execute((tx) => putOff(tx, items, clock.now()))
    const posts = await submissionsOf(context, accountId, 'background')
    if (posts === 'no answer') unanswered++
    if (!Array.isArray(posts)) continue
    for (const { id } of items)
      await db
        .transaction()
        .execute((tx) => noteFound(tx, { itemId: id, posts, now: clock.now() }))
        .catch((error: unknown) => {
          // Its person said of another item meanwhile that it is this post.
          if (!violates(error, 'scheduled_posts_forum_post')) throw error
        })
  }
}

/** Sets when these are looked for next, whatever becomes of this search. */
async function putOff(tx: Tx, items: readonly { id: string; post_at: Date }[], now: Date): Promise<void> {
  for (const { id, post_at } of items)
    await tx
      .updateTable('scheduled_posts')
      .set({ check_at: nextSearch(post_at, now) })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
}

async function noteFound(
  tx: Tx,
  { itemId, posts, now }: { itemId: string; posts: readonly ForumPost[]; now: Date },
): Promise<void> {
  const locked = await tx
    .selectFrom('scheduled_posts')
    .select('id')
    .where('id', '=', itemId)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  const item = locked && (await findSendable(tx, itemId))
  if (!item) return
  const post = sentAmong(posts, { ...item, sentAt: item.created_at })
  if (!post || !(await isUnused(tx, item.user_id, post.id))) return
  const { account_id: accountId } = item
  await notePosted(tx, item, { ...foundOf(post, accountId), byPerson: { accountId } }, now)
}
