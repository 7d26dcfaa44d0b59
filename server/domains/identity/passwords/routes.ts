import type { Handlers } from '../../../handler.ts'
import { tell } from '../actions.ts'
import { changePassword, findReset, resetPassword } from './changing/actions.ts'

export const passwordHandlers = {
  /** Whether the address has an account is found out by the job, so that answer and time tell nobody. */
  async requestReset({ db, body }) {
    await tell(db, { kind: 'password.reset', address: body.email })
    return { message: 'You should receive an email. Click the link inside to reset your password.' }
  },

  async checkResetToken({ db, body, now }) {
    await findReset(db, { ...body, now })
    return { success: true }
  },

  async updatePassword({ context, body, cookies, now }) {
    const { email } = await resetPassword(context, { ...body, now })
    cookies.rememberDevice(email)
    return { message: 'Successfully updated password. Please try logging in.' }
  },

  async changePassword({ context, viewer, body, now }) {
    await changePassword(context, viewer, { ...body, now })
    return { message: 'Your password was changed. You’ve been logged out everywhere else.' }
  },
} satisfies Partial<Handlers>
