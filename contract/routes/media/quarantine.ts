import { z } from 'zod'
import { route } from '../../route.ts'
import { Id, paragraph, Reason, Success } from '../../schemas.ts'
import { TakedownGround } from '../../takedowns.ts'

const Takedown = z.object({ mediaId: Id, reason: Reason })

export const quarantineRoutes = {
  takedown: route({
    method: 'GET',
    path: '/admin/media/takedown',
    summary:
      'Why an item is down, as its creator is told, and whether its file is blocked; null while it isn’t down.',
    access: { permission: 'media.quarantine' },
    query: z.object({ mediaId: Id }),
    output: z.object({
      takedown: z
        .object({
          /** Null where it was taken down without one. */
          ground: TakedownGround.nullable(),
          note: z.string(),
          blockFile: z.boolean(),
        })
        .nullable(),
    }),
  }),
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary:
      'Takes an item down: no one can access it from now on, including its owner and buyers. Changes why, and the block of its file, where it is down.',
    access: { permission: 'media.quarantine' },
    body: Takedown.extend({
      /** What its creator is told of why, with what the operator adds; `reason` is for the audit log alone. */
      ground: TakedownGround.default('review'),
      note: paragraph(500).default(''),
      /** Whether the same file can't be uploaded again by anyone; decided by `ground` where it isn't said. */
      blockFile: z.boolean().optional(),
    }),
    output: Success,
  }),
  releaseMedia: route({
    method: 'POST',
    path: '/admin/media/release',
    summary:
      'Reverses a takedown, and the block of its file: everyone can see the item again who could before.',
    access: { permission: 'media.quarantine' },
    body: Takedown,
    output: Success,
  }),
}
