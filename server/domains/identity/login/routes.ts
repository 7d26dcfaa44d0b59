import type { Handlers } from '../../../handler.ts'
import { startChallenge } from '../reauthentication/actions.ts'
import { finishLogin, logIn } from './actions.ts'

export const loginHandlers = {
  async login({ context, body, client, now, answer }) {
    const outcome = await logIn(context, { ...body, userAgent: client.userAgent, now })
    if ('challengeId' in outcome) return { token: null, secondFactor: outcome }
    answer.bindMediaLinks(outcome.sessionId)
    answer.rememberDevice(body.email)
    return { token: outcome.token, secondFactor: null }
  },

  async finishLogin({ context, body, client, now, answer }) {
    const { challengeId, ...factor } = body
    const { userAgent, knownDevice } = client
    const session = await finishLogin(context, { challengeId, factor, knownDevice, userAgent, now })
    answer.bindMediaLinks(session.sessionId)
    answer.rememberDevice(session.email)
    return { token: session.token }
  },

  startPasskeyLogin: ({ context, db, now }) =>
    startChallenge(db, context, { purpose: 'login', userId: null, now }),
} satisfies Partial<Handlers>
