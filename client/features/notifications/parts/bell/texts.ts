import { formatNumber } from '../../../../ui/format.ts'

/** The way to the notifications. */
export const bellTexts = {
  title: 'Notifications',
  open: (unread: number) => (unread > 0 ? `Notifications, ${formatNumber(unread)} unread` : 'Notifications'),
} as const
