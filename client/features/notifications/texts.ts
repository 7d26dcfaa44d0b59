import type { NotificationKind, Told } from '../../../contract/notifications.ts'
import { formatDate } from '../../ui/format.ts'
import type { NotificationSettings } from './api.ts'

type Of<K extends NotificationKind> = Extract<Told, { kind: K }>['data']

/** What the list says of each kind. */
const lines: { [K in NotificationKind]: (data: Of<K>) => string } = {
  'email.change-requested': () => 'Your email is about to change. Open the link we sent to the new address.',
  'email.taken': () => 'Someone tried to use your email for another account.',
  'password.changed': () => 'Your password was changed.',
  'factor.added': ({ passkey }) =>
    passkey === null ? 'An authenticator app was added.' : `The passkey “${passkey}” was added.`,
  'factor.removed': ({ passkey }) =>
    passkey === null ? 'The authenticator app was removed.' : `The passkey “${passkey}” was removed.`,
  'recovery-code.used': ({ left }) => `A recovery code was used. You have ${left} left.`,
  'deletion.requested': ({ erasedBy }) => `Your account will be deleted by ${formatDate(erasedBy)}.`,
  'deletion.undone': () => 'Your account won’t be deleted.',
  'export.ready': () => 'Your data is ready to download.',
  'payment.refunded': ({ amount, title }) => `We refunded ${amount} of your payment for “${title}”.`,
  'sale.disputed': ({ title, state }) =>
    ({
      opened: `A buyer disputed your sale of “${title}”.`,
      won: `You won the dispute over “${title}”.`,
      lost: `You lost the dispute over “${title}”.`,
    })[state],
  'subscription.renewing': ({ title, amount, on }) => `“${title}” renews ${formatDate(on)} for ${amount}.`,
  'subscription.renewed': ({ title, amount, until }) =>
    `We charged ${amount} for “${title}”. It’s paid until ${formatDate(until)}.`,
  'subscription.declined': ({ title, amount }) => `We couldn’t charge ${amount} for “${title}”.`,
  'subscription.ended': ({ title }) => `Your subscription “${title}” has ended.`,
  'subscription.extended': ({ title, creator, until: day }) =>
    `${creator} gave you free time on “${title}” until ${formatDate(day)}.`,
  'message.received': ({ from }) => `${from} sent you a message.`,
  'mass-message.changed': ({ sent, leftOut }) =>
    sent
      ? `Your scheduled message was sent without ${leftOut === 1 ? '1 item' : `${leftOut} items`}.`
      : 'Your scheduled message wasn’t sent.',
  'custom.changed': ({ from, state, amount }) =>
    ({
      requested: `${from} sent you a custom request.`,
      accepted: `${from} accepted your custom request for ${amount}.`,
      declined: `${from} declined your custom request.`,
      delivered: `${from} delivered your custom request.`,
    })[state],
  'custom.sold': ({ from, state, amount }) =>
    state === 'paid'
      ? `${from} paid ${amount} for a custom request.`
      : `Your custom request from ${from} is overdue, so we’re refunding ${amount}.`,
  'creator.leaving': ({ username, until: day }) =>
    `${username} is leaving. Download what you bought by ${formatDate(day)}.`,
  'follower.added': ({ from }) => `${from} followed you.`,
  'sale.made': ({ from, title, amount }) => `${from} bought “${title}” for ${amount}.`,
  'subscriber.added': ({ from, title, amount }) =>
    amount === null ? `${from} started a free trial of “${title}”.` : `${from} subscribed to “${title}”.`,
  'subscriber.canceled': ({ from, title, until: day }) =>
    `${from} canceled “${title}”. They have access until ${formatDate(day)}.`,
  'subscriber.ended': ({ from, title }) => `${from} is no longer subscribed to “${title}”.`,
  'tip.received': ({ from, amount }) => `${from} sent you a tip of ${amount}.`,
  'payout.changed': ({ amount, state }) =>
    ({
      approved: `Your payout of ${amount} was approved.`,
      paid: `Your payout of ${amount} was sent to your bank.`,
      failed: `Your payout of ${amount} failed. The amount is available again.`,
      canceled: `Your payout of ${amount} was canceled. The amount is available again.`,
    })[state],
  'media.ready': ({ title }) => `“${title}” is ready to publish.`,
  'media.failed': ({ title, reason }) => `We couldn’t use “${title}”. ${reason}`,
  'media.quarantined': ({ title }) => `“${title}” was taken down.`,
}

/** What the list says of several of one kind on one day. */
const several: Partial<Record<NotificationKind, (count: number) => string>> = {
  'follower.added': (count) => `${count} people followed you.`,
  'media.ready': (count) => `${count} uploads are ready to publish.`,
  'media.failed': (count) => `We couldn’t use ${count} of your uploads.`,
}

export const canGroup = (kind: NotificationKind) => kind in several

/** One line of the list: of one notification, or of several of the same kind. */
export function lineOf(event: Told, count: number): string {
  if (count > 1) return several[event.kind]?.(count) ?? ''
  return (lines[event.kind] as (data: unknown) => string)(event.data)
}

/** The list of notifications and the way to it. */
export const notificationTexts = {
  title: 'Notifications',
  lead: 'Activity on your account.',
  open: (unread: number) => (unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'),
  markAll: 'Mark all as read',
  settings: 'Settings',
  all: 'See all notifications',
  today: 'Today',
  yesterday: 'Yesterday',
  unread: 'Unread',
  none: 'No notifications yet',
  noneWhy: 'New messages, payments, and changes to your account appear here.',
  loadFailed: 'Your notifications didn’t load',
  markFailed: 'We couldn’t mark your notifications as read. Please try again.',
} as const

type Topic = NotificationSettings['topics'][number]['topic']

/** Topics as the settings name them. */
export const topicTexts: Record<Topic, { label: string; about: string }> = {
  security: { label: 'Security', about: 'Your password, email, and account' },
  payments: { label: 'Your payments', about: 'Renewals, receipts, refunds, and disputes' },
  messages: { label: 'Messages', about: 'Messages you haven’t read after a while' },
  requests: { label: 'Custom requests', about: 'New requests, answers, payments, and deliveries' },
  gifts: { label: 'Gifts', about: 'Free days and months from creators' },
  sales: { label: 'Sales and tips', about: 'New subscribers, sales, and tips' },
  subscribers: { label: 'Lost subscribers', about: 'Subscriptions that are canceled or end' },
  followers: { label: 'Followers', about: 'People who follow you' },
  payouts: { label: 'Payouts', about: 'Approved, paid, and failed payouts' },
  media: { label: 'Uploads', about: 'When uploads are ready, or couldn’t be used' },
}

/** The settings page. */
export const settingsTexts = {
  title: 'Notification settings',
  lead: 'Everything shows up in your notifications. Choose what else reaches you, and how.',
  loadFailed: 'Your settings didn’t load',
  saveFailed: 'Your change wasn’t saved.',
  topics: 'What you hear about',
  topic: 'Topic',
  email: 'Email',
  push: 'Push',
  emailOf: (topic: string) => `Email about ${topic}`,
  pushOf: (topic: string) => `Push about ${topic}`,
  always: 'Always',
  now: 'Right away',
  daily: 'Once a day',
  weekly: 'Once a week',
  off: 'Off',
  quiet: 'Quiet hours',
  quietSwitch: 'Set quiet hours',
  quietHint: 'Push and most emails wait until quiet hours end. Security alerts come right away.',
  from: 'From',
  to: 'To',
  zone: (zone: string) => `Times are in ${zone.replaceAll('_', ' ')}.`,
  ownZone: (zone: string) => `Use ${zone.replaceAll('_', ' ')}`,
  device: 'Push on this device',
  unsupported: 'This browser can’t show push notifications.',
  installFirst:
    'On iPhone and iPad, tap Share and then Add to Home Screen first. Push works in the app you add.',
  notOffered: 'Push notifications aren’t available on this site yet.',
  denied:
    'You blocked notifications from this site. Allow them in your browser’s site settings, then come back here.',
  why: 'Get notified on this device even when the site is closed. Push notifications don’t include names or message text.',
  turnOn: 'Turn on push',
  turnOff: 'Turn off push',
  isOn: 'Push is on for this device.',
  others: (count: number) => `Push is also on for ${count} other ${count === 1 ? 'device' : 'devices'}.`,
  removeOthers: 'Turn off on other devices',
  turnedOn: 'Push is on.',
  turnedOff: 'Push is off.',
  failed: 'We couldn’t turn on push in this browser. Try again later, or use another browser.',
  showText: 'Show message text',
  showTextHint: 'Push notifications for messages include the sender and the text, even on a lock screen.',
} as const

/** The page that a link of an email leads to. */
export const unsubscribeTexts = {
  title: 'Unsubscribe',
  about: (topic: string | null) =>
    topic ? `Stop emails about ${topic.toLowerCase()}?` : 'Stop all daily and weekly emails?',
  confirm: 'Unsubscribe',
  done: 'You’re unsubscribed. You won’t get these emails anymore.',
  settings: 'Notification settings',
} as const
