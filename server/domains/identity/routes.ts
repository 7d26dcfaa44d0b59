import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import { logIn, logOut, signUp } from './actions.ts'
import { confirmEmail, sendConfirmation } from './confirmation/actions.ts'
import type { Site } from './confirmation/present.ts'
import { findCurrentUser, findReferrer } from './data.ts'
import { presentCurrentUser } from './present.ts'

export const identityHandlers: Handlers<
  'login' | 'me' | 'logout' | 'signup' | 'referrer' | 'resendEmailConfirmation' | 'confirmEmail'
> = {
  async signup({ context, db, body, client, now, answer }) {
    const { referralCode, sharedReferralCode, ...person } = body
    const session = await signUp(db, {
      ...person,
      referralCode: referralCode || null,
      sharedReferralCode: sharedReferralCode || null,
      ageConfirmedAt: client.ageCookie ? now : null,
      site: siteOf(context),
      userAgent: client.userAgent,
      now,
    })
    answer.readMediaAs(session.sessionId)
    return { token: session.token }
  },

  async login({ db, body, client, now, answer }) {
    const session = await logIn(db, { ...body, userAgent: client.userAgent, now })
    answer.readMediaAs(session.sessionId)
    return { token: session.token }
  },

  async logout({ db, viewer, answer }) {
    await logOut(db, viewer.sessionId)
    answer.readMediaAs(null)
    return { success: true }
  },

  async me({ db, viewer }) {
    return presentCurrentUser(await findCurrentUser(db, viewer.id))
  },

  async referrer({ db, params }) {
    const referrer = await findReferrer(db, params.code)
    if (!referrer) throw new AppError('user_not_found')
    return { username: referrer.username }
  },

  async resendEmailConfirmation({ context, db, viewer, body, now }) {
    if (body.email !== undefined && body.email !== viewer.email) throw new AppError('not_yourself')
    if (viewer.emailVerified) return { message: 'Your e-mail address is already confirmed.' }
    await sendConfirmation(db, { userId: viewer.id, email: viewer.email, site: siteOf(context), now })
    return { message: 'Email has been sent. Please check your email!' }
  },

  async confirmEmail({ db, body, now }) {
    await confirmEmail(db, { ...body, now })
    return { success: true }
  },
}

function siteOf({ config, publicUrl }: Context): Site {
  return { brand: config.BRAND_NAME, publicUrl, contact: config.OPERATOR_EMAIL }
}
