import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

const Takedown = z.object({ mediaId: Id, reason: Reason })

export const quarantineRoutes = {
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary: 'Takes an item down: nobody gets any of its bytes from now on, its owner and buyers included.',
    access: { permission: 'media.quarantine' },
    body: Takedown,
    output: Success,
  }),
  releaseMedia: route({
    method: 'POST',
    path: '/admin/media/release',
    summary: 'Takes a takedown back: everybody sees again what they could see before.',
    access: { permission: 'media.quarantine' },
    body: Takedown,
    output: Success,
  }),
}
