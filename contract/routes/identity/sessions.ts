import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment, Success } from '../../schemas.ts'

export const sessionRoutes = {
  logout: route({
    method: 'GET',
    path: '/users/logout',
    summary: 'Ends the session of the bearer token (the one GET that writes, docs/product.md, Access).',
    access: 'session',
    withoutSecondFactor: 'allowed',
    restricted: 'allowed',
    transaction: 'manual',
    output: Success,
  }),
  sessions: route({
    method: 'GET',
    path: '/users/sessions',
    summary: 'Lists the caller’s sessions, most recently seen first.',
    access: 'user',
    restricted: 'allowed',
    output: z.object({
      items: z.array(
        z.object({
          _id: Id,
          device: z.string(),
          createdAt: Moment,
          lastSeenAt: Moment,
          current: z.boolean(),
        }),
      ),
    }),
  }),
  revokeSession: route({
    method: 'POST',
    path: '/users/sessions/revoke',
    summary: 'Ends one of the caller’s sessions.',
    access: 'user',
    restricted: 'allowed',
    body: z.object({ sessionId: Id }),
    output: Success,
  }),
  revokeOtherSessions: route({
    method: 'POST',
    path: '/users/sessions/revokeothers',
    summary: 'Ends all of the caller’s sessions except the current one.',
    access: 'user',
    restricted: 'allowed',
    output: z.object({ ended: z.number().int() }),
  }),
}
