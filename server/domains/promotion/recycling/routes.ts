import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { findPost } from '../posts/data.ts'
import { addressOf } from '../schedule/actions.ts'
import { countBelow, listPostings } from './data.ts'

export const recyclingHandlers = {
  async postHistory({ context, db, viewer, params, query }) {
    const { redditPostId: postId } = params
    const post = await findPost(db, viewer.id, postId)
    if (!post) throw new AppError('post_not_found')
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

  async removalPreview({ db, viewer, query, now }) {
    return { count: await countBelow(db, viewer.id, { ...query, now }) }
  },
} satisfies Partial<Handlers>
