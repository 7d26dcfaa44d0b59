import pLimit from 'p-limit'
import { OWN_REMOVALS } from '../../../../../contract/promotion.ts'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../db/client.ts'
import type { ForumPost } from '../../../../ports/forum/port.ts'
import { listAccounts } from '../../accounts/data.ts'
import { askIfConnected, requireForum } from '../../accounts/tokens/actions.ts'
import { tell } from '../actions.ts'
import { findSendable, listFollowed } from '../data.ts'
import { lookAgain, lookUncounted, nextLook, REFUSED_MS } from '../rules.ts'

/** Posts that one call asks for, as many as the forum answers. */
const BATCH = 100
const MAX_BATCHES = 20
/** Accounts that are asked at the same time, and how many of a run get no answer until the others aren't asked either. */
const ACCOUNTS_AT_ONCE = 8
const MAX_UNANSWERED = 3
/** How often a run asks by halves for what it couldn't read at once: enough for two posts of a hundred. */
const MAX_HALVINGS = 14

/** Looks at posts again: their score, their comments, and whether they were taken down. */
export async function followPosts(context: Context): Promise<void> {
  const { db, clock } = context
  const silence = { accounts: 0 }
  const halvings = { left: MAX_HALVINGS }
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const now = clock.now()
    const posts = await listFollowed(db, now, BATCH)
    if (posts.length === 0) return
    const ids = posts.flatMap(({ forum_post_id }) => (forum_post_id ? [forum_post_id] : []))
    const shown = await askAsAnybody(context, ids, halvings)
    if (!shown) return
    const { found, unread } = shown
    const asked = posts.filter(({ forum_post_id }) => !unread.has(forum_post_id ?? ''))
    const { unanswered, skipped } = await askTheirAccounts(context, asked, found, silence)
    for (const { id, forum_post_id } of posts) if (unread.has(forum_post_id ?? '')) unanswered.add(id)
    await db.transaction().execute(async (tx) => {
      for (const { id, forum_post_id, followed, posted_at } of posts) {
        const post = found.get(forum_post_id ?? '')
        // The forum left these out, so they are asked for again, a few times.
        const looks = followed + 1
        const postedAt = posted_at ?? now
        const next = nextLook(looks, postedAt)
        const follow_at = next && next <= now ? lookAgain(now) : next
        if (!post) {
          await tx
            .updateTable('scheduled_posts')
            .set(
              skipped.has(id)
                ? { follow_at: lookAgain(now) }
                : unanswered.has(id)
                  ? { follow_at: lookUncounted(postedAt, now) }
                  : { followed: looks, follow_at },
            )
            .where('id', '=', id)
            .execute()
          continue
        }
        const isRemoved = post.removedBy !== null
        const before = await tx
          .selectFrom('scheduled_posts')
          .select(['removed_by', 'taken_down_at', 'user_id'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!before) continue
        const isNew = isRemoved && before.removed_by === null
        // The forum says the same of a deletion that did nothing; one asked for since it was read is read next time.
        const isLeftUp = !isRemoved && before.taken_down_at !== null && before.taken_down_at <= now
        await tx
          .updateTable('scheduled_posts')
          .set({
            score: post.score,
            comments_count: post.comments,
            removed_by: post.removedBy,
            ...(isNew ? { removed_at: now } : isRemoved ? {} : { removed_at: null }),
            ...(isLeftUp
              ? { taken_down_at: null, take_down_after: new Date(now.getTime() + REFUSED_MS) }
              : {}),
            followed: looks,
            follow_at,
          })
          .where('id', '=', id)
          .execute()
        if (isLeftUp) await noteAuthor(tx, { id, userId: before.user_id, author: post.author })
        const item =
          isNew && !OWN_REMOVALS.includes(post.removedBy ?? '') ? await findSendable(tx, id) : undefined
        if (item) await tell(tx, item, { state: 'removed', reason: post.removedBy }, now)
      }
    })
    if (unread.size > 0) return
  }
}

/** Notes which of a person's connected accounts made a post, where the forum says it was one of them. */
async function noteAuthor(
  tx: Tx,
  { id, userId, author }: { id: string; userId: string; author: string },
): Promise<void> {
  const account = (await listAccounts(tx, userId)).find(
    ({ name }) => name.toLowerCase() === author.toLowerCase(),
  )
  if (account)
    await tx.updateTable('scheduled_posts').set({ account_id: account.id }).where('id', '=', id).execute()
}

/**
 * The public state of these posts. An answer that can't be read is asked for again in halves, so that one post keeps
 * no other back; `unread` are posts for which no call was left, and all of them if nothing could be read. Null while
 * the forum doesn't answer.
 */
async function askAsAnybody(
  context: Context,
  ids: readonly string[],
  halvings: { left: number },
): Promise<{ found: Map<string, ForumPost>; unread: Set<string> } | null> {
  const [found, unread] = [new Map<string, ForumPost>(), new Set<string>()]
  const parts = [ids]
  let isAnswered = false
  for (let part = parts.shift(); part; part = parts.shift()) {
    const answer = await requireForum(context).posts(part, 'anybody', 'background')
    if (answer.kind === 'answered') {
      isAnswered = true
      for (const post of answer.value) found.set(post.id, post)
    } else if (answer.kind !== 'malformed' && answer.kind !== 'forbidden') return null
    else if (part.length > 1 && halvings.left > 0) {
      halvings.left--
      const middle = Math.ceil(part.length / 2)
      parts.push(part.slice(0, middle), part.slice(middle))
    } else if (part.length > 1) for (const id of part) unread.add(id)
  }
  // A post isn't at fault for what the forum answers to all.
  return { found, unread: isAnswered ? unread : new Set(ids) }
}

/**
 * Asks for what isn't shown to everybody, as that of private subreddits, as the accounts that posted it, and adds it to
 * what was found, and to `silence` the accounts that the forum didn't answer. Answers the items of those, and of those that
 * were skipped for it.
 */
async function askTheirAccounts(
  context: Context,
  posts: Awaited<ReturnType<typeof listFollowed>>,
  found: Map<string, ForumPost>,
  silence: { accounts: number },
): Promise<Record<'unanswered' | 'skipped', Set<string>>> {
  const missing = posts.filter(({ forum_post_id: id }) => id !== null && !found.has(id))
  const [unanswered, skipped] = [new Set<string>(), new Set<string>()]
  const byAccount = Map.groupBy(missing, ({ account_id }) => account_id)
  await pLimit(ACCOUNTS_AT_ONCE).map(byAccount, async ([accountId, theirs]) => {
    const ids = theirs.flatMap(({ forum_post_id }) => forum_post_id ?? [])
    // It is down for everybody, then.
    if (silence.accounts >= MAX_UNANSWERED) {
      for (const { id } of theirs) skipped.add(id)
      return
    }
    const answer = await askIfConnected(context, accountId, (accessToken) =>
      requireForum(context).posts(ids, { accessToken }, 'background'),
    )
    if (Array.isArray(answer)) for (const post of answer) found.set(post.id, post)
    if (answer !== 'no answer') return
    silence.accounts++
    for (const { id } of theirs) unanswered.add(id)
  })
  return { unanswered, skipped }
}
