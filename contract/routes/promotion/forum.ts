import { z } from 'zod'
import { Flair, PostRequirements, SubredditName, SubredditRule } from '../../forum.ts'
import { READING_STATES, VERIFICATION_STATUSES, VERIFICATION_TYPES } from '../../promotion.ts'
import { route } from '../../route.ts'
import { line, Moment } from '../../schemas.ts'

/** A subreddit as the forum’s own search shows it. */
const FoundSubreddit = z.object({
  name: z.string(),
  subscribers: z.number().int().nullable(),
  description: z.string(),
  isPrivate: z.boolean(),
  /** Whether it is tracked already. */
  known: z.boolean(),
  /** The requirement of creators, by our notes; null if it isn’t tracked. */
  verificationType: z.enum(VERIFICATION_TYPES).nullable(),
  /** How far the acting person’s verification is; null where they have no record there. */
  status: z.enum(VERIFICATION_STATUSES).nullable(),
  /** Whether it is on a list that removes from search. */
  removedFromSearch: z.boolean(),
})

const LIMIT = { points: 120, seconds: 600 }
const Named = z.object({ subreddit: SubredditName })

export const forumRoutes = {
  searchForum: route({
    method: 'GET',
    path: '/reddit/api/subreddits',
    summary: 'Searches all subreddits of the forum; `after` is the forum’s own token for what follows.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    query: z.object({
      search: line(100).pipe(z.string().min(1, 'Enter something to search for.')),
      after: z
        .string()
        .regex(/^t5_[a-z0-9]{1,13}$/)
        .optional(),
      /** How many are shown already. */
      count: z.coerce.number().int().min(0).max(10_000).default(0),
    }),
    output: z.object({ subreddits: z.array(FoundSubreddit), after: z.string().nullable() }),
  }),
  subredditFlair: route({
    method: 'GET',
    path: '/reddit/flair',
    summary: 'The flair that a post in a subreddit can have.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    query: Named,
    output: z.object({
      items: z.array(Flair),
      /** False where no account could tell; `items` is empty then, which doesn’t mean that there is none. */
      known: z.boolean(),
      readAt: Moment,
    }),
  }),
  subredditRequirements: route({
    method: 'GET',
    path: '/reddit/postrequirements',
    summary: 'The forum’s requirements of posts in a subreddit, and the subreddit’s rules.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: LIMIT,
    query: Named,
    output: z.object({
      requirements: PostRequirements.nullable(),
      rules: z.array(SubredditRule),
      state: z.enum(READING_STATES),
      readAt: Moment,
    }),
  }),
  refreshSubreddit: route({
    method: 'POST',
    path: '/reddit/srinfo/refresh',
    summary: 'Reads a subreddit’s rules, flair and requirements from the forum again.',
    access: 'creator',
    transaction: 'manual',
    rateLimit: { points: 30, seconds: 600 },
    body: Named,
    output: z.object({ state: z.enum(READING_STATES), readAt: Moment }),
  }),
}
