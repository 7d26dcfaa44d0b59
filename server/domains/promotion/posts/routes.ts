import type { Db } from '../../../db/client.ts'
import { skipOf, toPage } from '../../../db/cursor.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { trackNew } from '../forum/actions.ts'
import { createPost, editPost } from './actions.ts'
import { findPost, listPosts, type PostRow } from './data.ts'

export const redditPostHandlers = {
  async createPost({ db, viewer, body, now }) {
    const { titles, comment, link } = body
    return { _id: await createPost(db, { userId: viewer.id, titles, comment, link, now }) }
  },

  async post({ db, viewer, params }) {
    return presentPost(await requirePost(db, viewer.id, params.redditPostId))
  },

  async editPost({ context, viewer, params, body }) {
    const { redditPostId: postId } = params
    const { db } = context
    await requirePost(db, viewer.id, postId)
    await trackNew(context, [...(body.usableSubreddits ?? []), ...(body.discardedSubreddits ?? [])])
    await db.transaction().execute((tx) => editPost(tx, { ...body, userId: viewer.id, postId }))
    return presentPost(await requirePost(db, viewer.id, postId))
  },

  async posts({ db, viewer, query }) {
    const rows = await listPosts(db, viewer.id, { ...query, skip: skipOf(query) })
    return toPage(rows, query, ({ id, titles, link, created_at, usable_count }) => ({
      _id: id,
      title: titles[0] ?? '',
      link,
      createdAt: created_at.toISOString(),
      usableSubredditsCount: usable_count,
    }))
  },
} satisfies Partial<Handlers>

async function requirePost(db: Db, userId: string, postId: string): Promise<PostRow> {
  const row = await findPost(db, userId, postId)
  if (!row) throw new AppError('post_not_found')
  return row
}

function presentPost({ id, titles, link, comment, usable, discarded }: PostRow) {
  return {
    _id: id,
    title: titles[0] ?? '',
    titles,
    link,
    comment,
    usableSubreddits: usable,
    discardedSubreddits: discarded,
  }
}
