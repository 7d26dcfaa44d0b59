import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page } from '../../schemas.ts'

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

export const recyclingRoutes = {
  postHistory: route({
    method: 'GET',
    path: '/reddit/post/:redditPostId/history',
    summary: 'Where a post went up, and where others of the same picture or link did, the latest first.',
    access: 'creator',
    params: z.object({ redditPostId: Id }),
    query: Page,
    output: listOf(Posting),
  }),
  removalPreview: route({
    method: 'GET',
    path: '/reddit/queue/removals',
    summary: 'How many posts would be deleted on the forum at once by a score and a number of hours.',
    access: 'creator',
    query: z.object({
      below: z.coerce.number().int().min(-1000).max(1_000_000),
      afterHours: z.coerce.number().int().min(1).max(72),
    }),
    output: z.object({ count: z.number().int() }),
  }),
}
