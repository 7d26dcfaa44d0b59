import { z } from 'zod'
import { SUBREDDIT_NAME } from '../../../../contract/promotion.ts'
import type { ForumPost } from '../port.ts'
import { text } from './answers.ts'

/** Posts and comments as they come (docs/forum-wire.md), as far as we use them. */

const whole = z
  .number()
  .transform((number) => Math.min(Math.max(Math.trunc(number), -2_000_000_000), 2_000_000_000))
  .catch(0)

const PostData = z.object({
  id: z.string().regex(/^[a-z0-9]{1,20}$/),
  subreddit: z.string().regex(SUBREDDIT_NAME),
  title: text(400),
  url: text(4000).catch(''),
  author: text(50).catch(''),
  permalink: z
    .string()
    .max(1000)
    .regex(/^\/[^\s\\]*$/)
    .catch(''),
  created_utc: z.number().min(0).max(10_000_000_000),
  score: whole,
  num_comments: whole,
  removed_by_category: text(50).nullish().catch(null),
})

function postOf(data: z.output<typeof PostData>): ForumPost {
  return {
    id: data.id,
    subreddit: data.subreddit,
    title: data.title,
    url: data.url,
    author: data.author,
    permalink: data.permalink || `/comments/${data.id}`,
    createdAt: new Date(data.created_utc * 1000),
    score: data.score,
    comments: data.num_comments,
    removedBy: data.removed_by_category ?? null,
  }
}

const Children = z.array(z.object({ kind: z.string(), data: z.unknown() }))

/** A listing of posts; what isn't one is left out. */
export const Posts = z
  .object({ kind: z.literal('Listing'), data: z.object({ children: Children }) })
  .transform(({ data }) =>
    data.children.flatMap((child): ForumPost[] => {
      const parsed = PostData.safeParse(child.data)
      return child.kind === 't3' && parsed.success ? [postOf(parsed.data)] : []
    }),
  )

const CommentData = z.object({ author: text(50), body: text(20_000) })

/** The two listings of a post's page: the post, and its comments, with whether they are all there are. */
export const Comments = z
  .tuple([z.unknown(), z.object({ kind: z.literal('Listing'), data: z.object({ children: Children }) })])
  .transform(([, { data }]) => ({
    comments: data.children.flatMap((child) => {
      const parsed = CommentData.safeParse(child.data)
      return child.kind === 't1' && parsed.success
        ? [{ author: parsed.data.author, text: parsed.data.body }]
        : []
    }),
    isWhole: data.children.every(({ kind }) => kind !== 'more'),
  }))
