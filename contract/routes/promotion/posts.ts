import { z } from 'zod'
import { RefusedSubreddit, SubredditName } from '../../forum.ts'
import {
  MAX_COMMENT_LENGTH,
  MAX_POST_TITLE_LENGTH,
  MAX_POST_TITLES,
  MAX_SUBREDDITS_CHOSEN,
  POSTS_PAGE_SIZE,
} from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, listOf, Moment, Page, paragraph, QueryBoolean, Success } from '../../schemas.ts'

const Titles = z
  .array(line(MAX_POST_TITLE_LENGTH).pipe(z.string().min(1, 'Enter a title.')))
  .min(1, 'Enter a title.')
  .max(MAX_POST_TITLES)
const Comment = paragraph(MAX_COMMENT_LENGTH)
/** A pasted RedGifs link or bare id; it is kept as the embed URL. */
const Link = z.string().trim().max(2000)
const Chosen = z.array(SubredditName).max(MAX_SUBREDDITS_CHOSEN)

/** A creator's post: a link or an item of theirs, the titles to choose from, a first comment, and the subreddits. */
const RedditPost = z.object({
  _id: Id,
  userId: Id,
  /** The first of the titles. */
  title: z.string(),
  titles: z.array(z.string()),
  /** Whether its titles are compared: each is used as often as the others. */
  testTitles: z.boolean(),
  /** The embed URL, or the address of the item’s page. */
  link: z.string(),
  mediaId: Id.nullable(),
  /** The offer that its link leads to, while that holds. */
  offerId: Id.nullable(),
  comment: z.string(),
  /** Whether it is marked NSFW on the forum. */
  nsfw: z.boolean(),
  hidden: z.boolean(),
  createdAt: Moment,
  usableSubreddits: z.array(z.string()),
  discardedSubreddits: z.array(z.string()),
  subredditsOnTimeline: z.array(z.string()),
  /** The latest first. */
  postedSubreddits: z.array(z.object({ subreddit: z.string(), postedTime: Moment })),
  usableSubredditsCount: z.number().int(),
  subredditsOnTimelineCount: z.number().int(),
  postedSubredditsCount: z.number().int(),
})

/** Where a picture or link stands, or stood. */
const Posting = z.object({
  _id: Id,
  subreddit: z.string(),
  title: z.string(),
  postedTime: Moment,
  account: z.string().nullable(),
  score: z.number().int().nullable(),
  removedBy: z.string().nullable(),
  takenDownAt: Moment.nullable(),
  permalink: z.string().nullable(),
  /** Whether another post of the same picture stood there. */
  ofOtherPost: z.boolean(),
})

const LIMIT = { points: 600, seconds: 600 }
const OfPost = z.object({ redditPostId: Id })

export const redditPostRoutes = {
  createPost: route({
    method: 'POST',
    path: '/reddit/post/create',
    summary:
      'Creates a post of a link, or of an item of one’s own that promotes, to be shown in the subreddits that are chosen next.',
    access: 'creator',
    self: 'userId',
    rateLimit: LIMIT,
    body: z.object({
      userId: Id.optional(),
      titles: Titles,
      comment: Comment.default(''),
      nsfw: z.boolean().default(true),
      link: Link.optional(),
      mediaId: Id.optional(),
      offerId: Id.nullish(),
    }),
    output: z.object({ _id: Id }),
  }),
  post: route({
    method: 'GET',
    path: '/reddit/post/:redditPostId',
    summary: 'One post of the acting person.',
    access: 'user',
    params: OfPost,
    output: RedditPost,
  }),
  editPost: route({
    method: 'POST',
    path: '/reddit/post/edit/:redditPostId',
    summary:
      'Changes a post’s titles, link and comment, or its subreddits; what isn’t named stays, what can’t be found is told.',
    access: 'creator',
    self: 'userId',
    transaction: 'manual',
    rateLimit: LIMIT,
    params: OfPost,
    body: z.object({
      userId: Id.optional(),
      postId: Id.optional(),
      titles: Titles.optional(),
      testTitles: z.boolean().optional(),
      comment: Comment.optional(),
      nsfw: z.boolean().optional(),
      link: Link.optional(),
      offerId: Id.nullish(),
      usableSubreddits: Chosen.optional(),
      discardedSubreddits: Chosen.optional(),
    }),
    output: RedditPost.extend({ refused: z.array(RefusedSubreddit) }),
  }),
  hidePost: route({
    method: 'POST',
    path: '/reddit/post/hide/:redditPostId',
    summary: 'Hides a post, or shows it again; hidden posts are no candidates for the schedule.',
    access: 'creator',
    rateLimit: LIMIT,
    params: OfPost,
    body: z.object({
      /** Without it, the other of what it is. */
      hidden: z.boolean().optional(),
    }),
    output: z.object({ hidden: z.boolean() }),
  }),
  forgetPosted: route({
    method: 'PATCH',
    path: '/reddit/post/postedsubreddit',
    summary: 'Forgets that a post was shown in a subreddit, which can be chosen again then.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ subreddit: SubredditName, redditPostId: Id }),
    output: Success,
  }),
  removeUsable: route({
    method: 'POST',
    path: '/reddit/post/subreddit/remove',
    summary: 'Takes a subreddit out of those where a post can be used.',
    access: 'creator',
    rateLimit: LIMIT,
    body: z.object({ subreddit: SubredditName, postId: Id }),
    output: Success,
  }),
  posts: route({
    method: 'GET',
    path: '/reddit/posts',
    summary:
      'The acting person’s posts, hidden ones or the others, each with the first of its subreddits and how many there are.',
    access: 'user',
    self: 'userId',
    query: Page.extend({
      userId: Id.optional(),
      limit: Page.shape.limit.unwrap().default(POSTS_PAGE_SIZE),
      hidden: QueryBoolean.default(false),
      sortBy: z.enum(['createdAt', 'usableSubredditsCount', 'postedSubredditsCount']).default('createdAt'),
      sortOrder: z.enum(['asc', 'desc']).default('desc'),
    }),
    output: listOf(RedditPost),
  }),
  postHistory: route({
    method: 'GET',
    path: '/reddit/post/:redditPostId/history',
    summary: 'Where a post went up, and where others of the same picture or link did, the latest first.',
    access: 'user',
    params: OfPost,
    query: Page,
    output: listOf(Posting),
  }),
}
