import type { Handlers } from '../../../handler.ts'
import { setRole } from './actions.ts'

export const roleHandlers = {
  async setRole({ db, viewer, body, now }) {
    await setRole(db, { actorId: viewer.id, ...body, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
