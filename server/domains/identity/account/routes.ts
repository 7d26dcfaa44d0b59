import type { Handlers } from '../../../handler.ts'
import { findCurrentUser } from '../data.ts'
import { presentCurrentUser } from '../present.ts'
import { signUp } from './actions.ts'
import { changeEmail, confirmEmail, resendConfirmation } from './email/actions.ts'

export const accountHandlers = {
  async signup({ context, db, body, client, now, answer }) {
    const { referralCode, sharedReferralCode, ...person } = body
    const session = await signUp(db, {
      ...person,
      referralCode: referralCode || null,
      sharedReferralCode: sharedReferralCode || null,
      ageConfirmedAt: client.ageCookie ? now : null,
      brand: context.config.BRAND_NAME,
      userAgent: client.userAgent,
      now,
    })
    answer.bindMediaLinks(session.sessionId)
    answer.rememberDevice(body.email)
    return { token: session.token }
  },

  async me({ context, db, viewer }) {
    return presentCurrentUser(await findCurrentUser(db, viewer.id), context.secondFactorRequired)
  },

  async resendEmailConfirmation({ db, viewer, body }) {
    if (await resendConfirmation(db, viewer, { email: body.email }))
      return { message: 'Email has been sent. Please check your email!' }
    return { message: 'Your email is already confirmed.' }
  },

  async confirmEmail({ db, body, now }) {
    await confirmEmail(db, { ...body, now })
    return { success: true }
  },

  async changeEmail({ context, viewer, body, now }) {
    const { email, ...factor } = body
    await changeEmail(context, viewer, { email, factor, now })
    return { message: 'Email has been sent. Please check your email!' }
  },
} satisfies Partial<Handlers>
