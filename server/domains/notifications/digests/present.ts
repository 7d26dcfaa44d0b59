import type { NotificationKind } from '../../../../contract/notifications.ts'
import { counted } from '../emails/rules.ts'

/** The line of a digest for notifications of one kind. */
const digestLines: Partial<Record<NotificationKind, (count: number) => string>> = {
  'message.received': (count) => counted(count, 'person wrote to you', 'people wrote to you'),
  'mass-message.changed': (count) => counted(count, 'mass message update', 'mass message updates'),
  'custom.changed': (count) => counted(count, 'custom request update', 'custom request updates'),
  'custom.sold': (count) =>
    counted(count, 'paid or overdue custom request', 'paid or overdue custom requests'),
  'subscription.ending': (count) => counted(count, 'free trial that ends', 'free trials that end'),
  'subscription.extended': (count) => counted(count, 'gift of free time', 'gifts of free time'),
  'sale.made': (count) => counted(count, 'sale', 'sales'),
  'subscriber.added': (count) => counted(count, 'new subscriber', 'new subscribers'),
  'tip.received': (count) => counted(count, 'tip', 'tips'),
  'subscriber.canceled': (count) => counted(count, 'subscriber canceled', 'subscribers canceled'),
  'subscriber.ended': (count) => counted(count, 'subscription ended', 'subscriptions ended'),
  'follower.added': (count) => counted(count, 'new follower', 'new followers'),
  'payout.changed': (count) => counted(count, 'payout update', 'payout updates'),
  'shared-code.changed': (count) => counted(count, 'shared code update', 'shared code updates'),
  'subreddit.decided': (count) => counted(count, 'subreddit program update', 'subreddit program updates'),
  'forum.reconnect': (count) => counted(count, 'forum account to reconnect', 'forum accounts to reconnect'),
  'verification.reminder': (count) => counted(count, 'verification reminder', 'verification reminders'),
  'subreddit.changed': (count) =>
    counted(count, 'subreddit changed its rules', 'subreddits changed their rules'),
  'post.changed': (count) => counted(count, 'post that needs attention', 'posts that need attention'),
  'media.ready': (count) => counted(count, 'upload is ready', 'uploads are ready'),
  'media.failed': (count) => counted(count, 'upload couldn’t be used', 'uploads couldn’t be used'),
}

/** The lines of a digest, one for each kind; a kind that can’t wait for one is counted with the rest. */
export function digestOf(counts: readonly { kind: NotificationKind; count: number }[]): string[] {
  const rest = counts.filter(({ kind }) => !digestLines[kind]).reduce((sum, { count }) => sum + count, 0)
  const lines = counts.flatMap(({ kind, count }) => digestLines[kind]?.(count) ?? [])
  return rest > 0 ? [...lines, counted(rest, 'other notification', 'other notifications')] : lines
}
