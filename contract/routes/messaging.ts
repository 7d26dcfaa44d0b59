import { z } from 'zod'
import { route } from '../route.ts'
import { Id } from '../schemas.ts'

export const messagingRoutes = {
  unread: route({
    method: 'GET',
    path: '/users/unread',
    summary: 'The caller’s unread conversations; the count drives the badge.',
    access: 'user',
    self: 'userId',
    query: z.object({ userId: Id.optional() }),
    output: z.object({ items: z.array(z.object({ _id: Id })) }),
  }),
}
