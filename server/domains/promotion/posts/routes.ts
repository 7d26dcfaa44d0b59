import type { Db } from '../../../db/client.ts'
import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { trackNames } from '../forum/actions.ts'
import { presentRefused } from '../present.ts'
import { addressOf } from '../schedule/actions.ts'
import { createPost, editPost, hidePost, removeSubreddit } from './actions.ts'
import { findPost, listPostings, listPosts, type PostRow } from './data.ts'

export const redditPostHandlers = {
  async createPost({ db, viewer, body, now }) {
    return { _id: await createPost(db, { ...body, userId: viewer.id, now }) }
  },

  async post({ db, viewer, params }) {
    return presentPost(await requirePost(db, viewer.id, params.redditPostId))
  },

  async editPost({ context, viewer, params, body, now }) {
    const { redditPostId: postId } = params
    const { db } = context
    await requirePost(db, viewer.id, postId)
    const { usableSubreddits, discardedSubreddits } = body
    const names = [...(usableSubreddits ?? []), ...(discardedSubreddits ?? [])]
    const refused = await trackNames(context, { names, userId: viewer.id })
    const left = new Set(refused.map(({ name }) => name.toLowerCase()))
    const kept = (list: string[] | undefined) => list?.filter((name) => !left.has(name.toLowerCase()))
    const change = {
      ...body,
      usableSubreddits: kept(usableSubreddits),
      discardedSubreddits: kept(discardedSubreddits),
    }
    await db.transaction().execute((tx) => editPost(tx, { ...change, userId: viewer.id, postId, now }))
    const post = await requirePost(db, viewer.id, postId)
    return { ...presentPost(post), refused: refused.map(presentRefused) }
  },

  async hidePost({ db, viewer, params, body }) {
    const { redditPostId: postId } = params
    return { hidden: await hidePost(db, { userId: viewer.id, postId, hidden: body.hidden }) }
  },

  async forgetPosted({ db, viewer, body }) {
    const { subreddit, redditPostId: postId } = body
    await removeSubreddit(db, { userId: viewer.id, postId, subreddit, state: 'posted' })
    return { success: true as const }
  },

  async removeUsable({ db, viewer, body }) {
    await removeSubreddit(db, { userId: viewer.id, ...body, state: 'usable' })
    return { success: true as const }
  },

  async posts({ db, viewer, query }) {
    const { hidden, sortBy, sortOrder } = query
    const page = { ...query, skip: skipOf(query) }
    const rows = await listPosts(db, viewer.id, { page, hidden, sortBy, sortOrder })
    return toPage(rows, query, presentPost)
  },

  async postHistory({ context, db, viewer, params, query }) {
    const { redditPostId: postId } = params
    const post = await requirePost(db, viewer.id, postId)
    const { mediaKey } = addressOf(post, context.publicUrl)
    const page = { ...query, skip: skipOf(query) }
    const rows = await listPostings(db, { userId: viewer.id, mediaKey, page })
    return toPage(rows, query, (row) => ({
      _id: row.id,
      subreddit: row.subreddit,
      title: row.title,
      postedTime: (row.posted_at ?? row.post_at).toISOString(),
      account: row.account,
      score: row.score,
      removedBy: row.removed_by,
      takenDownAt: row.taken_down_at?.toISOString() ?? null,
      permalink: row.permalink === null || !context.forum ? null : context.forum.pageUrl(row.permalink),
      ofOtherPost: row.post_id !== postId,
    }))
  },
} satisfies Partial<Handlers>

async function requirePost(db: Db, userId: string, postId: string): Promise<PostRow> {
  const row = await findPost(db, userId, postId)
  if (!row) throw new AppError('post_not_found')
  return row
}

function presentPost(row: PostRow) {
  return {
    _id: row.id,
    userId: row.user_id,
    title: row.titles[0] ?? '',
    titles: row.titles,
    testTitles: row.test_titles,
    link: row.link,
    mediaId: row.media_id,
    offerId: row.offer_id,
    comment: row.comment,
    nsfw: row.nsfw,
    hidden: row.hidden,
    createdAt: row.created_at.toISOString(),
    usableSubreddits: row.usable,
    discardedSubreddits: row.discarded,
    subredditsOnTimeline: row.scheduled,
    postedSubreddits: row.posted,
    usableSubredditsCount: row.usable_count,
    subredditsOnTimelineCount: row.scheduled_count,
    postedSubredditsCount: row.posted_count,
  }
}
