import type { Handlers } from '../../../handler.ts'
import { mailOperator } from '../../notifications/actions.ts'

export const contactHandlers = {
  async contact({ db, viewer, body }) {
    // A filled-in honeypot gets the same answer, so that its sender learns nothing.
    if (body.website) return { success: true }
    await mailOperator(db, {
      email: body.email,
      name: body.name ?? '',
      message: body.message,
      username: viewer?.username ?? null,
    })
    return { success: true }
  },
} satisfies Partial<Handlers>
