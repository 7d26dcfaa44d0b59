import { ensureAccount, type Forum, findSubreddit } from './store.ts'
import { bodyHtml, created, fullname, id36, seconds, type Thing } from './wire.ts'

/** `parent` is a fullname; `post` the row of the post. Times are milliseconds. */
export type CommentRow = {
  id: number
  parent: string
  post: number
  author: string
  body: string
  createdAt: number
  deletedAt: number | null
  editedAt: number | null
}

/** All comments of a post, oldest first. */
export function commentsOf({ db }: Forum, post: number): CommentRow[] {
  return db.prepare('select * from comments where post = ? order by id').all(post) as CommentRow[]
}

/** The t1 with its usual keys. */
export function commentThing(forum: Forum, row: CommentRow): Thing {
  const post = forum.db.prepare('select subreddit, title, author from posts where id = ?').get(row.post) as {
    subreddit: string
    title: string
    author: string
  }
  const isDeleted = row.deletedAt !== null
  const body = isDeleted ? '[deleted]' : row.body
  const id = id36(row.id)
  const subreddit = findSubreddit(forum, post.subreddit)
  return {
    kind: 't1',
    data: {
      id,
      name: fullname('t1', row.id),
      author: isDeleted ? '[deleted]' : row.author,
      ...(isDeleted ? {} : { author_fullname: fullname('t2', ensureAccount(forum, row.author).id) }),
      body,
      body_html: bodyHtml(body),
      link_id: fullname('t3', row.post),
      link_title: post.title,
      parent_id: row.parent,
      permalink: `/r/${post.subreddit}/comments/${id36(row.post)}/_/${id}/`,
      subreddit: post.subreddit,
      subreddit_id: subreddit ? `t5_${subreddit.id}` : null,
      subreddit_name_prefixed: `r/${post.subreddit}`,
      score: 1,
      ups: 1,
      downs: 0,
      likes: null,
      is_submitter: row.author === post.author,
      edited: row.editedAt === null ? false : seconds(row.editedAt),
      removed_by_category: isDeleted ? 'deleted' : null,
      distinguished: null,
      stickied: false,
      archived: false,
      score_hidden: false,
      replies: '',
      ...created(row.createdAt),
    },
  }
}
