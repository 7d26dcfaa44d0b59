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
      'Why an item is down, as its creator is told, and whether its file is blocked; null while it isn’t down. And which other items have the same file.',
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
      /** Other items with the same file or external gif, whosever they are: how many, and the first of them. */
      copies: z.object({
        count: z.number().int(),
        items: z.array(
          z.object({
            _id: Id,
            title: z.string(),
            username: z.string(),
            isDown: z.boolean(),
            isDeleted: z.boolean(),
          }),
        ),
      }),
    }),
  }),
  quarantineMedia: route({
    method: 'POST',
    path: '/admin/media/quarantine',
    summary:
      'Takes an item down: no one can access it from now on, including its owner and buyers. Changes why, and the block of its file, where it is down; what isn’t said stays as it is.',
    access: { permission: 'media.quarantine' },
    body: Takedown.extend({
      /** What its creator is told of why, with what the operator adds; `reason` is for the audit log alone. */
      /** `review` for an item that isn't down, where it isn't said. */
      ground: TakedownGround.optional(),
      note: paragraph(500).optional(),
      /** Whether the same file can't be uploaded again by anyone; decided by a `ground` that is said, where this isn't. */
      blockFile: z.boolean().optional(),
      /** The ground that was shown, null where it wasn't down: another one by now is told, and nothing changes. Not said: whatever it is. */
      shown: TakedownGround.nullable().optional(),
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
