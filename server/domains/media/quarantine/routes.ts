import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { quarantineMedia, releaseMedia } from './actions.ts'
import { findTakedown, listCopies } from './data.ts'

export const quarantineHandlers = {
  async takedown({ db, query }) {
    const found = await findTakedown(db, query.mediaId)
    if (!found) throw new AppError('media_not_found')
    const { isDown, ...takedown } = found
    const copies = await listCopies(db, query.mediaId)
    return {
      takedown: isDown ? takedown : null,
      copies: {
        count: copies[0]?.count ?? 0,
        items: copies.map(({ id, count: _, ...copy }) => ({ _id: id, ...copy })),
      },
    }
  },

  async quarantineMedia({ db, viewer, body, now }) {
    await quarantineMedia(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },

  async releaseMedia({ db, viewer, body, now }) {
    await releaseMedia(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
