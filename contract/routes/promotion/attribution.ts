import { z } from 'zod'
import { POST_CODE } from '../../post-code.ts'
import { EARNINGS_GROUPS } from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Money, Page, Success } from '../../schemas.ts'

const Period = z.object({
  creatorId: Id.optional(),
  /** When the posts went up, from and to; without them, the last 90 days. */
  from: Moment.optional(),
  to: Moment.optional(),
  by: z.enum(EARNINGS_GROUPS).default('subreddit'),
})

/** Results of posts; each purchase belongs to the last post through which its buyer came within 7 days before it. */
const Earned = z.object({
  posts: z.number().int(),
  removed: z.number().int(),
  visits: z.number().int(),
  signUps: z.number().int(),
  follows: z.number().int(),
  trials: z.number().int(),
  /** Offers that were redeemed, trials included. */
  redemptions: z.number().int(),
  sales: z.number().int(),
  /** The amount paid for the sales, less refunds. */
  salesAmount: Money,
  renewals: z.number().int(),
  renewalsAmount: Money,
})

export const attributionRoutes = {
  visitPost: route({
    method: 'POST',
    path: '/reddit/visit',
    summary:
      'Notes that somebody came by a post’s link, and answers where it leads; a code that nobody made leads nowhere.',
    access: 'public',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ code: z.string().regex(POST_CODE) }),
    output: z.object({
      /** To be claimed after a login; null where the visit wasn’t counted. */
      visitId: Id.nullable(),
      /** A page of this site. */
      path: z.string(),
    }),
  }),
  claimVisits: route({
    method: 'POST',
    path: '/reddit/visit/claim',
    summary: 'Says that visits made before a login were the acting person’s.',
    access: 'user',
    rateLimit: { points: 60, seconds: 600 },
    body: z.object({ visitIds: z.array(Id).min(1).max(20) }),
    output: Success,
  }),
  postEarnings: route({
    method: 'GET',
    path: '/reddit/earnings',
    summary:
      'What the acting person’s posts brought, by post, subreddit, title, flair, hour or weekday; the most earned first.',
    access: 'creator',
    self: 'creatorId',
    query: Period.extend(Page.pick({ limit: true, skip: true, cursor: true }).shape),
    output: listOf(
      Earned.extend({
        /** The key of the row: a timeline item’s id, a name, an hour, or a weekday with 0 for Sunday. */
        key: z.string(),
        label: z.string(),
      }),
    ).extend({ total: Earned }),
  }),
  postEarningsFile: route({
    method: 'GET',
    path: '/reddit/earnings/csv',
    summary: 'The same, all of it, as a CSV file.',
    access: 'creator',
    self: 'creatorId',
    query: Period,
    output: z.object({ fileName: z.string(), text: z.string() }),
  }),
  comparedTitles: route({
    method: 'GET',
    path: '/reddit/post/:redditPostId/titles',
    summary: 'How the titles of a post did against each other, in the last 12 months.',
    access: 'creator',
    params: z.object({ redditPostId: Id }),
    output: z.object({
      titles: z.array(
        z.object({
          title: z.string(),
          posts: z.number().int(),
          removed: z.number().int(),
          /** The middle one of the forum’s scores; null where none is known. */
          score: z.number().nullable(),
          visits: z.number().int(),
          /** Sales and renewals, and what is left of them. */
          payments: z.number().int(),
          earned: Money,
        }),
      ),
      /** Whether one of them leads, in a sentence. */
      verdict: z.string(),
    }),
  }),
  postSuggestions: route({
    method: 'GET',
    path: '/reddit/earnings/suggestions',
    summary: 'The hours and subreddits that did best for the acting person, each with its reason.',
    access: 'creator',
    self: 'creatorId',
    query: z.object({ creatorId: Id.optional() }),
    output: z.object({
      /** How many posts they rest on; too few, and there is nothing to suggest. */
      posts: z.number().int(),
      hours: z.array(z.object({ weekday: z.number().int(), hour: z.number().int(), reason: z.string() })),
      subreddits: z.array(z.object({ subreddit: z.string(), reason: z.string() })),
    }),
  }),
}
