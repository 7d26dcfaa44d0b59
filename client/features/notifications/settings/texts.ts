import { formatCount } from '../../../ui/format.ts'
import type { NotificationSettings } from '../api.ts'

type Topic = NotificationSettings['topics'][number]['topic']

/** Topics as the settings name them. */
export const topicTexts: Record<Topic, { label: string; about: string }> = {
  security: { label: 'Security', about: 'Your password, email, and account' },
  payments: { label: 'Your payments', about: 'Renewals, receipts, refunds, and disputes' },
  messages: { label: 'Messages', about: 'Messages you haven’t read after a while' },
  requests: { label: 'Custom requests', about: 'New requests, answers, payments, and deliveries' },
  gifts: { label: 'Gifts', about: 'Free days and months from creators, and when they end' },
  sales: { label: 'Sales and tips', about: 'New subscribers, sales, and tips' },
  subscribers: { label: 'Lost subscribers', about: 'Subscriptions that are canceled or end' },
  followers: { label: 'Followers', about: 'People who follow you' },
  payouts: { label: 'Payouts', about: 'Approved, paid, and failed payouts' },
  promotion: {
    label: 'Promotion',
    about: 'Forum accounts to reconnect, posts that need attention, and verification reminders',
  },
  media: { label: 'Uploads', about: 'When uploads are ready, or couldn’t be used' },
}

/** The settings page. */
export const settingsTexts = {
  title: 'Notification settings',
  all: 'All notifications',
  lead: 'Everything shows up in your notifications. Choose what else reaches you, and how.',
  loadFailed: 'Your settings didn’t load',
  saveFailed: 'Your change wasn’t saved.',
  topics: 'Topics',
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
  emailHint:
    'Emails sent right away are limited to a few an hour. If there’s more, you get the rest together in one email. Daily emails come at 9 AM, and weekly emails on Mondays at 9 AM.',
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
  why: (showsText: boolean) =>
    `Get notified on this device even when the site is closed.${showsText ? '' : ' Push notifications don’t include names or message text.'}`,
  turnOn: 'Turn on push',
  turnOff: 'Turn off push',
  isOn: 'Push is on for this device.',
  others: (count: number) => `Push is also on for ${formatCount(count, 'other device')}.`,
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
  about: (topic: string) => `Stop emails about ${topic.toLowerCase()}?`,
  aboutDigests: 'Stop all daily and weekly emails?',
  aboutNow: 'Stop all emails that come right away? We’ll still email you about security and your payments.',
  confirm: 'Unsubscribe',
  done: 'You’re unsubscribed. You won’t get these emails anymore.',
  settings: 'Notification settings',
} as const
