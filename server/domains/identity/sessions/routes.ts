import type { Handlers } from '../../../handler.ts'
import { companionOf } from '../../../viewer.ts'
import { revokeSession, revokeSessions } from './actions.ts'
import { listSessions } from './data.ts'
import { deviceName } from './rules.ts'

export const sessionHandlers = {
  async logout({ db, viewer, cookies }) {
    const session = { userId: viewer.id, sessionId: viewer.sessionId }
    await db.transaction().execute((tx) => revokeSession(tx, session))
    cookies.set('media_viewer', companionOf(null))
    return { success: true }
  },

  async sessions({ db, viewer, now }) {
    const rows = await listSessions(db, { userId: viewer.id, sessionId: viewer.sessionId, now })
    return {
      items: rows.map((row) => ({
        _id: row.id,
        device: deviceName(row.user_agent),
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
        current: row.id === viewer.sessionId,
      })),
    }
  },

  async revokeSession({ db, viewer, body, cookies }) {
    await revokeSession(db, { userId: viewer.id, sessionId: body.sessionId })
    if (body.sessionId === viewer.sessionId) cookies.set('media_viewer', companionOf(null))
    return { success: true }
  },

  async revokeOtherSessions({ db, viewer }) {
    return { ended: await revokeSessions(db, { userId: viewer.id, keep: viewer.sessionId }) }
  },
} satisfies Partial<Handlers>
