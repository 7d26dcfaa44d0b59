import { z } from 'zod'
import { SubredditName } from '../../forum.ts'
import {
  MAX_COMMENT_LENGTH,
  MAX_POST_TITLE_LENGTH,
  MAX_POST_TITLES,
  MAX_SUBREDDITS_CHOSEN,
} from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, paragraph } from '../../schemas.ts'

const Titles = z
  .array(line(MAX_POST_TITLE_LENGTH).pipe(z.string().min(1, 'Enter a title.')))
  .min(1, 'Enter a title.')
  .max(MAX_POST_TITLES)
const Comment = paragraph(MAX_COMMENT_LENGTH)
/** A pasted RedGifs link or bare id; it is kept as the embed URL. */
const Link = z.string().trim().min(1, 'Paste a RedGifs link or ID.').max(2000)
const Chosen = z.array(SubredditName).max(MAX_SUBREDDITS_CHOSEN)

/** What a creator wants to post: a link, the titles to choose from, a first comment, and where. */
const RedditPost = z.object({
  _id: Id,
  /** The first of the titles. */
  title: z.string(),
  titles: z.array(z.string()),
  link: z.string(),
  comment: z.string(),
  usableSubreddits: z.array(z.string()),
  discardedSubreddits: z.array(z.string()),
})

const LIMIT = { points: 600, seconds: 600 }

export const redditPostRoutes = {
  createPost: route({
    method: 'POST',
    path: '/reddit/post/create',
    summary: 'Creates a post, to be shown in the subreddits that are chosen next.',
    access: 'creator',
    self: 'userId',
    rateLimit: LIMIT,
    body: z.object({ userId: Id.optional(), titles: Titles, comment: Comment.default(''), link: Link }),
    output: z.object({ _id: Id }),
  }),
  post: route({
    method: 'GET',
    path: '/reddit/post/:redditPostId',
    summary: 'One post of the acting person.',
    access: 'creator',
    params: z.object({ redditPostId: Id }),
    output: RedditPost,
  }),
  editPost: route({
    method: 'POST',
    path: '/reddit/post/edit/:redditPostId',
    summary: 'Changes a post’s titles, link and comment, or its subreddits; what isn’t named stays.',
    access: 'creator',
    self: 'userId',
    transaction: 'manual',
    rateLimit: LIMIT,
    params: z.object({ redditPostId: Id }),
    body: z.object({
      userId: Id.optional(),
      titles: Titles.optional(),
      comment: Comment.optional(),
      link: Link.optional(),
      usableSubreddits: Chosen.optional(),
      discardedSubreddits: Chosen.optional(),
    }),
    output: RedditPost,
  }),
  posts: route({
    method: 'GET',
    path: '/reddit/posts',
    summary: 'The acting person’s posts, the newest first.',
    access: 'creator',
    self: 'userId',
    query: Page.extend({ userId: Id.optional() }),
    output: listOf(
      z.object({
        _id: Id,
        title: z.string(),
        link: z.string(),
        createdAt: Moment,
        usableSubredditsCount: z.number().int(),
      }),
    ),
  }),
}
