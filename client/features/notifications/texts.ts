import { formatNumber } from '../../ui/format.ts'

/** The list of notifications. */
export const notificationTexts = {
  lead: 'Activity on your account.',
  markAll: 'Mark all as read',
  settings: 'Settings',
  all: 'See all notifications',
  today: 'Today',
  yesterday: 'Yesterday',
  unread: 'Unread',
  severalUnread: (count: number) => `${formatNumber(count)} unread`,
  none: 'No notifications yet',
  noneWhy: 'New messages, payments, and changes to your account appear here.',
  loadFailed: 'Your notifications didn’t load',
  markFailed: 'We couldn’t mark your notifications as read. Please try again.',
} as const
