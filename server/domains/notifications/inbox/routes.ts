import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { markRead } from './actions.ts'
import { findUnread, listNotifications } from './data.ts'
import { presentNotification } from './present.ts'

export const inboxHandlers = {
  async notifications({ db, viewer, query }) {
    return toPage(await listNotifications(db, viewer.id, query), query, presentNotification)
  },

  async unreadNotifications({ db, viewer }) {
    return findUnread(db, viewer.id)
  },

  async readNotifications({ db, viewer, body, now }) {
    await markRead(db, { userId: viewer.id, ids: body.notificationIds ?? null, now })
    return findUnread(db, viewer.id)
  },
} satisfies Partial<Handlers>
