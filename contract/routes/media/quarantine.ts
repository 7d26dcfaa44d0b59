import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, Reason, Success } from '../../schemas.ts'

const Takedown = z.object({ mediaId: Id, reason: Reason })

export const quarantineRoutes = {
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary: 'Takes an item down: no one can access it from now on, including its owner and buyers.',
    access: { permission: 'media.quarantine' },
    body: Takedown,
    output: Success,
  }),
  releaseMedia: route({
    method: 'POST',
    path: '/admin/media/release',
    summary: 'Reverses a takedown: everyone can see the item again who could before.',
    access: { permission: 'media.quarantine' },
    body: Takedown,
    output: Success,
  }),
}
