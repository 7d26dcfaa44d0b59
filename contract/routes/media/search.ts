import { z } from 'zod'
import { route } from '../../route.ts'
import { line, Page } from '../../schemas.ts'
import { Tag } from './tags.ts'
import { FeedMedia, ListedCreator } from './viewing.ts'

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/media/search',
    summary:
      'The creators, tags, and items that match best, with typo tolerance; locked items as placeholders.',
    access: 'public',
    rateLimit: { points: 120, seconds: 60 },
    query: Page.extend({ query: line(100).pipe(z.string().min(1, 'Enter a search term.')) }),
    output: z.object({
      /** The first page only; empty on further ones. */
      creators: z.array(ListedCreator),
      tags: z.array(Tag),
      items: z.array(FeedMedia),
      hasMore: z.boolean(),
      nextCursor: z.string().nullable(),
      /** The corrected words that were searched for; null when they were taken as typed. */
      corrected: z.string().nullable(),
    }),
  }),
}
