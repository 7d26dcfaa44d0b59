import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { offersOpenToAll } from '../../commerce/offers/data.ts'
import { released } from '../../media/data.ts'
import { requireUnblockedGif } from '../../media/quarantine/blocked/actions.ts'
import { changeLink } from '../schedule/changing/actions.ts'
import { lockQueue } from '../schedule/queue/actions.ts'
import { readAccountDetailsNow } from '../subreddits/actions.ts'
import { findByNames } from '../subreddits/data.ts'

type State = 'usable' | 'discarded'

/**
 * Creates a post of a link, kept as its embed URL, or of an item. Throws `post_link_invalid`, `media_blocked`,
 * `post_media_not_found` and `post_offer_not_found`.
 */
export async function createPost(
  tx: Tx,
  of: {
    userId: string
    titles: string[]
    comment: string
    nsfw: boolean
    link?: string | undefined
    mediaId?: string | undefined
    offerId?: string | null | undefined
    now: Date
  },
): Promise<string> {
  const { userId, titles, comment, nsfw, link, mediaId, offerId, now } = of
  const embed = mediaId === undefined ? embedUrl(link ?? '') : ''
  if (mediaId === undefined) await requireUnblockedGif(tx, embed)
  else await requirePromoting(tx, userId, mediaId)
  if (offerId) await requireOffer(tx, { userId, offerId, now })
  const { id } = await tx
    .insertInto('forum_posts')
    .values({
      user_id: userId,
      titles,
      comment,
      nsfw,
      link: embed,
      media_id: mediaId ?? null,
      offer_id: offerId ?? null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Throws `post_media_not_found` unless the item is this person's, is there, isn't taken down, and promotes. */
async function requirePromoting(tx: Tx, userId: string, mediaId: string): Promise<void> {
  const item = await tx
    .selectFrom('media')
    .select('id')
    .where('id', '=', mediaId)
    .where('creator_id', '=', userId)
    .where('reddit_promotion', '=', true)
    .where('deleted_at', 'is', null)
    .where(released)
    .executeTakeFirst()
  if (!item) throw new AppError('post_media_not_found')
}

/** Throws `post_offer_not_found` unless the offer is this person's and anybody can take it. */
async function requireOffer(
  tx: Tx,
  { userId, offerId, now }: { userId: string; offerId: string; now: Date },
): Promise<void> {
  const offer = await offersOpenToAll(tx, now)
    .where('offers.id', '=', offerId)
    .where('offers.creator_id', '=', userId)
    .executeTakeFirst()
  if (!offer) throw new AppError('post_offer_not_found')
}

/**
 * Changes what is named of a post. A subreddit named as usable is no longer discarded, and the other way round; where it
 * is on the timeline or was posted it stays so; a new link is also that of what is still to go up. Throws
 * `post_not_found`, `post_link_invalid`, `media_blocked`, `post_offer_not_found`, `post_going_up` and `subreddit_not_found`.
 */
export async function editPost(
  tx: Tx,
  change: {
    userId: string
    postId: string
    titles?: string[] | undefined
    testTitles?: boolean | undefined
    comment?: string | undefined
    nsfw?: boolean | undefined
    link?: string | undefined
    offerId?: string | null | undefined
    usableSubreddits?: string[] | undefined
    discardedSubreddits?: string[] | undefined
    now: Date
  },
): Promise<void> {
  const { userId, postId, titles, testTitles, comment, nsfw, link, offerId, now } = change
  const { usableSubreddits, discardedSubreddits } = change
  const embed = link === undefined ? undefined : embedUrl(link)
  // In the order in which scheduling locks: the queue, then the post.
  if (link !== undefined) await lockQueue(tx, userId)
  const post = await lockPost(tx, userId, postId)
  if (embed !== undefined && embed !== post.link) await requireUnblockedGif(tx, embed)
  // One that ended meanwhile may stay; nothing leads to it.
  if (offerId && offerId !== post.offer_id) await requireOffer(tx, { userId, offerId, now })
  const set = {
    ...(titles ? { titles } : {}),
    ...(testTitles === undefined ? {} : { test_titles: testTitles }),
    ...(comment === undefined ? {} : { comment }),
    ...(nsfw === undefined ? {} : { nsfw }),
    ...(embed === undefined ? {} : { link: embed, media_id: null }),
    ...(offerId === undefined ? {} : { offer_id: offerId }),
  }
  if (Object.keys(set).length > 0)
    await tx.updateTable('forum_posts').set(set).where('id', '=', postId).execute()
  if (set.link !== undefined) await changeLink(tx, { userId, postId, link: set.link, now })
  if (discardedSubreddits) await choose(tx, postId, 'discarded', discardedSubreddits)
  // The last word where one is named twice: what can be used is what is meant.
  if (!usableSubreddits) return
  await choose(tx, postId, 'usable', usableSubreddits)
  await readAccountDetailsNow(tx, { userId, postId, now })
}

async function lockPost(tx: Tx, userId: string, postId: string) {
  const post = await tx
    .selectFrom('forum_posts')
    .select(['hidden', 'offer_id', 'link'])
    .where('id', '=', postId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw new AppError('post_not_found')
  return post
}

/** Makes these, in this order, the post’s subreddits of one state. */
async function choose(tx: Tx, postId: string, state: State, names: string[]): Promise<void> {
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))]
  const ids = new Map((await findByNames(tx, wanted)).map(({ id, name }) => [name.toLowerCase(), id]))
  const rows = wanted.map((name, place) => {
    const id = ids.get(name)
    if (id === undefined) throw new AppError('subreddit_not_found')
    return { post_id: postId, subreddit_id: id, state, place }
  })
  await tx
    .deleteFrom('forum_post_subreddits')
    .where('post_id', '=', postId)
    .where('state', '=', state)
    .execute()
  if (rows.length === 0) return
  await tx
    .insertInto('forum_post_subreddits')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['post_id', 'subreddit_id'])
        .doUpdateSet((eb) => ({ state: eb.ref('excluded.state'), place: eb.ref('excluded.place') }))
        .where('forum_post_subreddits.state', 'in', ['usable', 'discarded']),
    )
    .execute()
}

/** Hides a post or shows it again; answers whether it is hidden now. Throws `post_not_found`. */
export async function hidePost(
  tx: Tx,
  { userId, postId, hidden }: { userId: string; postId: string; hidden: boolean | undefined },
): Promise<boolean> {
  const post = await lockPost(tx, userId, postId)
  const isHidden = hidden ?? !post.hidden
  await tx.updateTable('forum_posts').set({ hidden: isHidden }).where('id', '=', postId).execute()
  return isHidden
}

/** Takes a subreddit of this state off a post. Throws `post_not_found` and `post_subreddit_missing`. */
export async function removeSubreddit(
  tx: Tx,
  of: { userId: string; postId: string; subreddit: string; state: 'usable' | 'posted' },
): Promise<void> {
  const { userId, postId, subreddit, state } = of
  await lockPost(tx, userId, postId)
  const [named] = await findByNames(tx, [subreddit])
  const removed =
    named &&
    (await tx
      .deleteFrom('forum_post_subreddits')
      .where('post_id', '=', postId)
      .where('subreddit_id', '=', named.id)
      .where('state', '=', state)
      .executeTakeFirst())
  if (!removed || removed.numDeletedRows === 0n) throw new AppError('post_subreddit_missing')
}

function embedUrl(link: string): string {
  const url = redGifEmbedUrl(link)
  if (url === '') throw new AppError('post_link_invalid')
  return url
}
