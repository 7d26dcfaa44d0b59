import type { Handlers } from '../../../handler.ts'
import { quarantineMedia, releaseMedia } from './actions.ts'

export const quarantineHandlers = {
  async quarantineMedia({ db, viewer, body, now }) {
    await quarantineMedia(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },

  async releaseMedia({ db, viewer, body, now }) {
    await releaseMedia(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
