import type { Handlers } from '../../../handler.ts'
import { sendToOperator } from './actions.ts'

export const contactHandlers = {
  async contact({ context, db, viewer, body }) {
    // A filled-in honeypot gets the same answer, so that its sender learns nothing.
    if (body.website) return { success: true }
    await sendToOperator(db, {
      email: body.email,
      name: body.name ?? '',
      message: body.message,
      username: viewer?.username ?? null,
      site: {
        brand: context.config.BRAND_NAME,
        publicUrl: context.publicUrl,
        operator: context.config.OPERATOR_EMAIL,
      },
    })
    return { success: true }
  },
} satisfies Partial<Handlers>
