import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { findByNames } from '../subreddits/data.ts'

type State = 'usable' | 'discarded'

/** Creates a post; its link is kept as the embed URL. Throws `post_link_invalid`. */
export async function createPost(
  tx: Tx,
  {
    userId,
    titles,
    comment,
    link,
    now,
  }: { userId: string; titles: string[]; comment: string; link: string; now: Date },
): Promise<string> {
  const { id } = await tx
    .insertInto('forum_posts')
    .values({ user_id: userId, titles, comment, link: embedUrl(link), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Changes what is named of a post. A subreddit named as usable is no longer discarded, and the other way round. Throws
 * `post_not_found`, `post_link_invalid` and `subreddit_not_found`.
 */
export async function editPost(
  tx: Tx,
  change: {
    userId: string
    postId: string
    titles?: string[] | undefined
    comment?: string | undefined
    link?: string | undefined
    usableSubreddits?: string[] | undefined
    discardedSubreddits?: string[] | undefined
  },
): Promise<void> {
  const { userId, postId, titles, comment, link, usableSubreddits, discardedSubreddits } = change
  const post = await tx
    .selectFrom('forum_posts')
    .select('id')
    .where('id', '=', postId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw new AppError('post_not_found')
  const set = {
    ...(titles ? { titles } : {}),
    ...(comment === undefined ? {} : { comment }),
    ...(link === undefined ? {} : { link: embedUrl(link) }),
  }
  if (Object.keys(set).length > 0)
    await tx.updateTable('forum_posts').set(set).where('id', '=', postId).execute()
  if (discardedSubreddits) await choose(tx, postId, 'discarded', discardedSubreddits)
  // The last word where one is named twice: what can be used is what is meant.
  if (usableSubreddits) await choose(tx, postId, 'usable', usableSubreddits)
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
      conflict.columns(['post_id', 'subreddit_id']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        place: eb.ref('excluded.place'),
      })),
    )
    .execute()
}

function embedUrl(link: string): string {
  const url = redGifEmbedUrl(link)
  if (url === '') throw new AppError('post_link_invalid')
  return url
}
