import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../handler.ts'
import { confirmEmail, sendConfirmation } from './account/confirmation/actions.ts'
import type { Site } from './account/confirmation/present.ts'
import { emailHandlers } from './account/email-change/routes.ts'
import { finishLogin, logIn, signUp } from './actions.ts'
import { findCurrentUser } from './data.ts'
import { resetHandlers } from './passwords/reset/routes.ts'
import { passwordHandlers } from './passwords/routes.ts'
import { presentCurrentUser } from './present.ts'
import { startChallenge } from './reauthentication/actions.ts'
import { roleHandlers } from './roles/routes.ts'
import { revokeSession } from './sessions/actions.ts'
import { sessionHandlers } from './sessions/routes.ts'
import { suspensionHandlers } from './suspensions/routes.ts'
import { secondFactorHandlers } from './two-factor/routes.ts'

const accountHandlers = {
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
    answer.bindMediaLinks(session.sessionId)
    return { token: session.token }
  },

  async login({ context, body, client, now, answer }) {
    const { userAgent } = client
    const outcome = await logIn(context, { ...body, userAgent, site: siteOf(context), now })
    if ('challengeId' in outcome) return { token: null, secondFactor: outcome }
    answer.bindMediaLinks(outcome.sessionId)
    return { token: outcome.token, secondFactor: null }
  },

  async finishLogin({ context, body, client, now, answer }) {
    const { challengeId, ...factor } = body
    const { userAgent } = client
    const session = await finishLogin(context, { challengeId, factor, userAgent, site: siteOf(context), now })
    answer.bindMediaLinks(session.sessionId)
    return { token: session.token }
  },

  startPasskeyLogin: ({ context, db, now }) =>
    startChallenge(db, context, { purpose: 'login', userId: null, now }),

  async logout({ db, viewer, answer }) {
    const session = { userId: viewer.id, sessionId: viewer.sessionId }
    await db.transaction().execute((tx) => revokeSession(tx, session))
    answer.bindMediaLinks(null)
    return { success: true }
  },

  async me({ context, db, viewer }) {
    return presentCurrentUser(await findCurrentUser(db, viewer.id), context.secondFactorRequired)
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
} satisfies Partial<Handlers>

export const identityHandlers = {
  ...accountHandlers,
  ...passwordHandlers,
  ...emailHandlers,
  ...resetHandlers,
  ...sessionHandlers,
  ...roleHandlers,
  ...suspensionHandlers,
  ...secondFactorHandlers,
}

function siteOf({ config, publicUrl }: Context): Site {
  return { brand: config.BRAND_NAME, publicUrl, contact: config.OPERATOR_EMAIL }
}
