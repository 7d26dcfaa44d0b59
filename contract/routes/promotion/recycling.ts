import { z } from 'zod'
import { route } from '../../route.ts'

export const recyclingRoutes = {
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
