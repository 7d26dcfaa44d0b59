import type { Handlers } from '../../../handler.ts'
import { answerChallenge, markReauthenticated, startChallenge } from './actions.ts'

export const reauthenticationHandlers = {
  startReauthentication: ({ context, db, viewer, now }) =>
    startChallenge(db, context, { purpose: 'reauthenticate', userId: viewer.id, now }),

  async reauthenticate({ context, viewer, body, now }) {
    const { challengeId, ...factor } = body
    const { id: userId, sessionId } = viewer
    await answerChallenge(context, { challengeId, purpose: 'reauthenticate', userId, factor, now }, (db) =>
      markReauthenticated(db, { sessionId, now }),
    )
    return { success: true }
  },
} satisfies Partial<Handlers>
