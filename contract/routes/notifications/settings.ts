import { z } from 'zod'
import { EmailFrequency, NotificationTopic } from '../../notifications.ts'
import { route } from '../../route.ts'
import { Success, TimeZone } from '../../schemas.ts'

/** Minutes of a day, in quarter hours. */
const MinuteOfDay = z.number().int().min(0).max(1439).multipleOf(15)

const QuietHours = z
  .object({ from: MinuteOfDay, to: MinuteOfDay })
  .refine(({ from, to }) => from !== to, 'Choose two different times.')

const NotificationSettings = z.object({
  topics: z.array(
    z.object({
      topic: NotificationTopic,
      email: EmailFrequency,
      push: z.boolean(),
      /** Emails of it can’t be turned off. */
      required: z.boolean(),
    }),
  ),
  quietHours: QuietHours.nullable(),
  /** Null until a browser said it. */
  timeZone: z.string().nullable(),
  showMessageText: z.boolean(),
  push: z.object({
    /** The key with which browsers subscribe; null if there is no push. */
    publicKey: z.string().nullable(),
    /** Whether the calling browser is sent notifications, and how many others are. */
    here: z.boolean(),
    others: z.number().int(),
  }),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

const base64url = (bytes: number) => z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`))

/** How a browser is reached, as its push service has it. */
const PushSubscription = z.object({
  endpoint: z.url().max(1000),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})

export const notificationSettingsRoutes = {
  notificationSettings: route({
    method: 'GET',
    path: '/users/notifications/settings',
    summary: 'The caller’s notification channels by topic, and their quiet hours.',
    access: 'user',
    output: NotificationSettings,
  }),
  setNotificationTopic: route({
    method: 'POST',
    path: '/users/notifications/topic',
    summary: 'Sets the caller’s channels for a topic.',
    access: 'user',
    body: z.object({
      topic: NotificationTopic,
      email: EmailFrequency.optional(),
      push: z.boolean().optional(),
    }),
    output: Success,
  }),
  setNotificationSettings: route({
    method: 'POST',
    path: '/users/notifications/settings',
    summary: 'Sets the caller’s quiet hours and time zone, and whether push shows what messages say.',
    access: 'user',
    body: z.object({
      /** Turns them on, or with null off. */
      quietHours: QuietHours.nullable().optional(),
      /** Where they begin or end from now on, while they are on; the other end stays. */
      quietFrom: MinuteOfDay.optional(),
      quietTo: MinuteOfDay.optional(),
      timeZone: TimeZone.optional(),
      showMessageText: z.boolean().optional(),
    }),
    output: Success,
  }),
  addPush: route({
    method: 'POST',
    path: '/users/notifications/push',
    summary: 'Sends notifications to the calling browser, as long as it stays logged in.',
    access: 'user',
    rateLimit: { points: 30, seconds: 3600 },
    body: PushSubscription,
    output: Success,
  }),
  replacePush: route({
    method: 'POST',
    path: '/notifications/push/replace',
    summary:
      'Sends a browser’s notifications to its new address; who knows the secrets of the old one is that browser.',
    // A service worker has no session token.
    access: 'public',
    rateLimit: { points: 30, seconds: 3600 },
    body: z.object({ before: PushSubscription, subscription: PushSubscription }),
    output: Success,
  }),
  removePush: route({
    method: 'POST',
    path: '/users/notifications/push/remove',
    summary: 'Sends no more notifications to the calling browser, or to all others of the caller.',
    access: 'user',
    body: z.object({ which: z.enum(['here', 'others']) }),
    output: Success,
  }),
}
