import type { Handlers } from '../../../handler.ts'
import { companionOf } from '../../../viewer.ts'
import { findCurrentUser, isUsernameFree } from '../data.ts'
import { presentCurrentUser } from '../present.ts'
import { becomeCreator, signUp } from './actions.ts'
import { cancelEmailChange, confirmEmail, requestEmailChange, resendConfirmation } from './email/actions.ts'

export const accountHandlers = {
  async signup({ context, db, body, client, cookies, now }) {
    const { referralCode, sharedReferralCode, ...person } = body
    const session = await signUp(db, {
      ...person,
      referralCode: referralCode || null,
      sharedReferralCode: sharedReferralCode || null,
      ageConfirmedAt: cookies.get('age') ? now : null,
      brand: context.config.BRAND_NAME,
      userAgent: client.userAgent,
      now,
    })
    cookies.set('media_viewer', companionOf(session.sessionId))
    cookies.rememberDevice(body.email)
    return { token: session.token }
  },

  async usernameFree({ db, query }) {
    return { free: await isUsernameFree(db, query.username) }
  },

  async me({ context, db, viewer }) {
    return presentCurrentUser(await findCurrentUser(db, viewer.id), context.secondFactorRequired)
  },

  async resendEmailConfirmation({ db, viewer, body }) {
    if (await resendConfirmation(db, viewer, { email: body.email }))
      return { message: 'Email has been sent. Please check your email!' }
    return { message: 'Your email is already verified.' }
  },

  async confirmEmail({ db, body, now }) {
    await confirmEmail(db, { ...body, now })
    return { success: true }
  },

  async becomeCreator({ db, viewer }) {
    await becomeCreator(db, viewer.id)
    return { success: true }
  },

  async changeEmail({ db, viewer, body, now }) {
    await requestEmailChange(db, { userId: viewer.id, sessionId: viewer.sessionId, email: body.email, now })
    return { message: 'Email has been sent. Please check your email!' }
  },

  async cancelEmailChange({ db, viewer, now }) {
    await cancelEmailChange(db, { userId: viewer.id, now })
    return { success: true }
  },
} satisfies Partial<Handlers>
