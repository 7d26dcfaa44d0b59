import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, paragraph, Reason, Success } from '../../schemas.ts'
import { TakedownGround } from '../../takedowns.ts'

const Takedown = z.object({ mediaId: Id, reason: Reason })

export const quarantineRoutes = {
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary: 'Takes an item down: no one can access it from now on, including its owner and buyers.',
    access: { permission: 'media.quarantine' },
    body: Takedown.extend({
      /** What its creator is told of why, with what the operator adds; `reason` is for the audit log alone. */
      ground: TakedownGround.default('review'),
      note: paragraph(500).default(''),
    }),
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
