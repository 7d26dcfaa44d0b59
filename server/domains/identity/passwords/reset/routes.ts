import type { Handlers } from '../../../../handler.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import { findReset, resetPassword } from './actions.ts'

export const resetHandlers = {
  async requestReset({ db, body }) {
    await enqueue(db, 'identity.send-reset', { email: body.email })
    return { message: 'You should receive an email. Click the link inside to reset your password.' }
  },

  async checkResetToken({ db, body, now }) {
    await findReset(db, { ...body, now })
    return { success: true }
  },

  async updatePassword({ context, body, now }) {
    await resetPassword(context, { ...body, now })
    return { message: 'Successfully updated password. Please try logging in.' }
  },
} satisfies Partial<Handlers>
