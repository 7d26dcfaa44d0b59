import type { z } from 'zod'
import { type Told, ToldEvent } from '../../../../contract/notifications.ts'
import type { Notification } from '../../../../contract/routes/notifications/inbox.ts'
import { toPage } from '../../../db/cursor.ts'
import type { Handlers } from '../../../handler.ts'
import { markRead } from './actions.ts'
import { findUnread, listNotifications, type NotificationRow } from './data.ts'

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

/**
 * A notification as its account reads it. Its actor or seller has their present name, and fields that older
 * notifications lack have their defaults.
 */
export function presentNotification(row: NotificationRow): z.input<typeof Notification> {
  const { id, kind, data, actor, created_at, read_at } = row
  const name = 'seller' in data ? 'seller' : 'from'
  return {
    _id: id,
    createdAt: created_at.toISOString(),
    read: read_at !== null,
    event: ToldEvent.parse({ kind, data: { ...data, ...(actor ? { [name]: actor } : {}) } }) as Told,
  }
}
