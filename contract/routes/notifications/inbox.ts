import { z } from 'zod'
import { MAX_NOTIFICATIONS_PER_CALL } from '../../constants.ts'
import { type Told, ToldEvent } from '../../notifications.ts'
import { route } from '../../route.ts'
import { Id, listOf, Moment, Page, Success } from '../../schemas.ts'
import { MAX_UNSUBSCRIBE_TOKEN, UNSUBSCRIBE_INVALID } from '../../unsubscribe-links.ts'

/** How many unread notifications are counted; of more there is only said that there are more. */
export const MAX_UNREAD_COUNTED = 100

/** One notification of one's own list. */
export const Notification = z.object({
  _id: Id,
  createdAt: Moment,
  read: z.boolean(),
  event: ToldEvent as z.ZodType<Told>,
})
export type Notification = z.output<typeof Notification>

/** How many are unread, up to `MAX_UNREAD_COUNTED`, and the newest one, read or not. */
export const UnreadCount = z.object({ unread: z.number().int(), newestId: Id.nullable() })

/** Of another shape than ours it is answered as one that isn't ours is. */
const UnsubscribeToken = z.string().max(MAX_UNSUBSCRIBE_TOKEN, UNSUBSCRIBE_INVALID)

export const notificationRoutes = {
  notifications: route({
    method: 'GET',
    path: '/users/notifications',
    summary: 'The caller’s notifications, newest first.',
    access: 'user',
    query: Page.omit({ skip: true }),
    output: listOf(Notification),
  }),
  unreadNotifications: route({
    method: 'GET',
    path: '/users/notifications/unread',
    summary: 'How many notifications the caller hasn’t read.',
    access: 'user',
    output: UnreadCount,
  }),
  readNotifications: route({
    method: 'POST',
    path: '/users/notifications/read',
    summary: 'Marks some of the caller’s notifications as read, or all of them.',
    access: 'user',
    /** Absent: all. */
    body: z.object({ notificationIds: z.array(Id).max(MAX_NOTIFICATIONS_PER_CALL).optional() }),
    output: UnreadCount,
  }),
  unsubscribe: route({
    method: 'POST',
    path: '/notifications/unsubscribe/:token',
    summary: 'Ends the emails that the link is about (RFC 8058).',
    access: 'public',
    restricted: 'allowed',
    bytes: true,
    params: z.object({ token: UnsubscribeToken }),
    output: Success,
  }),
  unsubscribePage: route({
    method: 'GET',
    path: '/notifications/unsubscribe/:token',
    summary: 'Leads to the page that asks before emails are ended.',
    access: 'public',
    restricted: 'allowed',
    params: z.object({ token: UnsubscribeToken }),
    output: Success,
  }),
}
