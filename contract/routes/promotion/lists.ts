import { z } from 'zod'
import { RefusedSubreddit, SubredditName } from '../../forum.ts'
import { MAX_SUBREDDITS_CHOSEN } from '../../promotion.ts'
import { route } from '../../route.ts'
import { Id, line, Success } from '../../schemas.ts'

const Title = line(60).pipe(z.string().min(1, 'Enter a title.'))

const SubredditList = z.object({
  _id: Id,
  title: z.string(),
  /** Whether its subreddits are left out of every search of tracked subreddits. */
  removeFromSearch: z.boolean(),
  /** An operator’s, which everybody sees and only operators change. */
  siteWide: z.boolean(),
  /** How many subreddits are on it. */
  count: z.number().int(),
})

const LIMIT = { points: 600, seconds: 600 }

export const subredditListRoutes = {
  subredditLists: route({
    method: 'GET',
    path: '/reddit/srlists',
    summary: 'The acting person’s lists of subreddits by title, and with `getSiteWide` the operators’ too.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional(), getSiteWide: z.enum(['true', 'false']).default('false') }),
    output: z.object({
      items: z.array(
        SubredditList.extend({ /** The first few, by name. */ subreddits: z.array(z.string()) }),
      ),
    }),
  }),
  subredditList: route({
    method: 'GET',
    path: '/reddit/srlists/:listId',
    summary: 'One list with all its subreddits, by name.',
    access: 'user',
    params: z.object({ listId: Id }),
    output: SubredditList.extend({ subreddits: z.array(z.string()) }),
  }),
  createSubredditList: route({
    method: 'POST',
    path: '/reddit/srlists/create',
    summary: 'Creates an empty list; with `siteWide` an operator’s for everybody.',
    access: 'user',
    self: 'userId',
    rateLimit: LIMIT,
    body: z.object({ userId: Id.optional(), title: Title, siteWide: z.boolean().default(false) }),
    output: SubredditList,
  }),
  updateSubredditList: route({
    method: 'POST',
    path: '/reddit/srlists/update',
    summary:
      'Replaces what a list holds, its title, or whether it removes from search; what isn’t named stays, what can’t be found is left out and told.',
    access: 'user',
    transaction: 'manual',
    rateLimit: LIMIT,
    body: z.object({
      listId: Id,
      title: Title.optional(),
      subreddits: z.array(SubredditName).max(MAX_SUBREDDITS_CHOSEN).optional(),
      removeFromSearch: z.boolean().optional(),
    }),
    output: SubredditList.extend({ refused: z.array(RefusedSubreddit) }),
  }),
  deleteSubredditList: route({
    method: 'POST',
    path: '/reddit/srlists/delete',
    summary: 'Deletes a list; its subreddits stay tracked.',
    access: 'user',
    rateLimit: LIMIT,
    body: z.object({ listId: Id }),
    output: Success,
  }),
}
