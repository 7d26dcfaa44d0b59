import type { Handlers } from '../../../handler.ts'
import { requestDeletion } from '../../identity/account/deletion/actions.ts'

export const erasureHandlers = {
  async deleteAccount({ db, viewer, now, answer }) {
    const dueAt = await requestDeletion(db, { userId: viewer.id, now })
    answer.bindMediaLinks(null)
    return {
      message: 'Your account will be deleted within 30 days.',
      erasedBy: dueAt.toISOString(),
    }
  },
} satisfies Partial<Handlers>
