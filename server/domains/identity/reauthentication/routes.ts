import type { Handlers } from '../../../handler.ts'
import { answerChallenge, markReauthenticated, requireReauthentication, startChallenge } from './actions.ts'

/** How much longer a check must hold: what it was made for is sent a few seconds later. */
const AHEAD_MS = 60_000

export const reauthenticationHandlers = {
  startReauthentication: ({ context, db, viewer, now }) =>
    startChallenge(db, context, { purpose: 'reauthenticate', userId: viewer.id, now }),

  async checkReauthentication({ db, viewer, now }) {
    const later = new Date(now.getTime() + AHEAD_MS)
    await requireReauthentication(db, { sessionId: viewer.sessionId, now: later })
    return { success: true }
  },

  async reauthenticate({ context, viewer, body, now }) {
    const { challengeId, ...factor } = body
    const { id: userId, sessionId } = viewer
    await answerChallenge(context, { challengeId, purpose: 'reauthenticate', userId, factor, now }, (db) =>
      markReauthenticated(db, { sessionId, now }),
    )
    return { success: true }
  },
} satisfies Partial<Handlers>
