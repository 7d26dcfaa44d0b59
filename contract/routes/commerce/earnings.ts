import { z } from 'zod'
import { KINDS } from '../../orders.ts'
import { route } from '../../route.ts'
import { Day, Id, TimeZone } from '../../schemas.ts'
import { Person } from './subscriptions.ts'

/** The sources of earnings: a kind of sale, commissions of referrals, or shares of the subreddit program. */
export const SOURCES = [...KINDS, 'commission', 'subreddit'] as const

const Range = z.object({
  userId: Id.optional(),
  /** The first and the last day; without them from the first sale, or to the last. */
  from: Day.optional(),
  to: Day.optional(),
  timeZone: TimeZone.default('UTC'),
})

const Sold = z.object({ sales: z.number().int(), gross: z.string(), share: z.string() })

export const earningsRoutes = {
  earningsBreakdown: route({
    method: 'GET',
    path: '/users/earnings/breakdown',
    summary:
      'Where the caller’s earnings of a range came from: by source, and the items and fans that brought the most.',
    access: 'user',
    self: 'userId',
    query: Range,
    output: z.object({
      /** Each source that there was, the most earned first. Like the days, a refund changes nothing here. */
      sources: z.array(Sold.extend({ source: z.enum(SOURCES), fee: z.string() })),
      /** At most 10 of each, by share. Their days are those of UTC. */
      items: z.array(Sold.extend({ _id: Id, kind: z.enum(KINDS), title: z.string() })),
      fans: z.array(Sold.extend({ fan: Person })),
    }),
  }),
  transactionsFile: route({
    method: 'GET',
    path: '/users/transactions/csv',
    summary: 'All of the caller’s sales and purchases of a range as a CSV file, newest first.',
    access: 'user',
    // People keep access to their earnings wherever they are.
    restricted: 'allowed',
    self: 'userId',
    rateLimit: { points: 10, seconds: 600 },
    query: Range,
    file: 'text/csv',
    output: z.void(),
  }),
}
