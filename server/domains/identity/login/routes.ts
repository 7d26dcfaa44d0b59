import type { Handlers } from '../../../handler.ts'
import { companionOf } from '../../../viewer.ts'
import { startChallenge } from '../reauthentication/actions.ts'
import { finishLogin, logIn } from './actions.ts'

export const loginHandlers = {
  async login({ context, body, client, cookies, now }) {
    const { userAgent, isFromHere } = client
    const outcome = await logIn(context, { ...body, userAgent, isFromHere, now })
    if ('challengeId' in outcome) return { token: null, secondFactor: outcome, deletionUndone: false }
    cookies.set('media_viewer', companionOf(outcome.sessionId))
    cookies.rememberDevice(body.email)
    return { token: outcome.token, secondFactor: null, deletionUndone: outcome.deletionUndone }
  },

  async finishLogin({ context, body, client, cookies, now }) {
    const { challengeId, ...factor } = body
    const { userAgent } = client
    const { knownDevice } = cookies
    const session = await finishLogin(context, { challengeId, factor, knownDevice, userAgent, now })
    cookies.set('media_viewer', companionOf(session.sessionId))
    cookies.rememberDevice(session.email)
    return { token: session.token, deletionUndone: session.deletionUndone }
  },

  startPasskeyLogin: ({ context, db, now }) =>
    startChallenge(db, context, { purpose: 'login', userId: null, now }),
} satisfies Partial<Handlers>
