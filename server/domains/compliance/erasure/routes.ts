import type { Handlers } from '../../../handler.ts'
import { requestDeletion } from '../../identity/account/actions.ts'
import { emailContext } from '../../identity/emails/actions.ts'

export const erasureHandlers = {
  async deleteAccount({ context, db, viewer, now, answer }) {
    const dueAt = await requestDeletion(db, { userId: viewer.id, site: emailContext(context), now })
    answer.bindMediaLinks(null)
    return {
      message: 'Your account will be deleted within 30 days.',
      erasedBy: dueAt.toISOString(),
    }
  },
} satisfies Partial<Handlers>
