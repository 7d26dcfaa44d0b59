import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Moment } from '../../schemas.ts'

/** An own-data export; `url` is a short-lived link bound to the session that asks, once it is ready. */
const Export = z.object({
  _id: Id,
  status: z.enum(['waiting', 'ready', 'failed']),
  requestedAt: Moment,
  expiresAt: Moment,
  bytes: z.number().int().nullable(),
  url: z.string().nullable(),
})

export const exportRoutes = {
  requestExport: route({
    method: 'POST',
    path: '/users/export',
    summary: 'Requests an export of the caller’s data; an email says when it is ready.',
    access: 'user',
    restricted: 'allowed',
    rateLimit: { points: 20, seconds: 86_400 },
    output: Export,
  }),
  exports: route({
    method: 'GET',
    path: '/users/exports',
    summary: 'The caller’s exports that are being prepared or can be downloaded, newest first.',
    access: 'user',
    restricted: 'allowed',
    output: z.object({ items: z.array(Export) }),
  }),
}
