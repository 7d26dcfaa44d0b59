import type { Handlers } from '../../../handler.ts'
import { companionOf } from '../../../viewer.ts'
import { requestDeletion } from '../../identity/account/deletion/actions.ts'

export const erasureHandlers = {
  async deleteAccount({ db, viewer, cookies, now }) {
    const dueAt = await requestDeletion(db, { userId: viewer.id, now })
    cookies.set('media_viewer', companionOf(null))
    return {
      message: 'Your account will be deleted within 30 days.',
      erasedBy: dueAt.toISOString(),
    }
  },
} satisfies Partial<Handlers>
