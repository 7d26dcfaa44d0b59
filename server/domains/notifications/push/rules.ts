import {
  type NotificationEvent,
  type NotificationKind,
  type NotificationTopic,
  topicOf,
} from '../../../../contract/notifications.ts'

/** How often a busy push service is asked before a message is given up. */
const MAX_TRIES = 6
const FIRST_WAIT_SECONDS = 30
const HOUR_SECONDS = 3600
/** A push service that asks for more time than this isn't waited for. */
const LONGEST_WAIT_SECONDS = 6 * HOUR_SECONDS

/** The text on a locked screen: the event without anybody's name. */
const titles: Record<NotificationKind, string> = {
  'email.change-requested': 'Your email is about to change',
  'email.taken': 'Someone tried to use your email',
  'password.changed': 'Your password was changed',
  'factor.added': 'Two-factor authentication was added',
  'factor.removed': 'Two-factor authentication was removed',
  'recovery-code.used': 'A recovery code was used',
  'deletion.requested': 'Your account will be deleted',
  'deletion.undone': 'Your account won’t be deleted',
  'account.suspended': 'Account update',
  'export.ready': 'Your data is ready',
  'payment.refunded': 'Payment update',
  'purchase.receipt': 'Your receipt',
  'sale.refunded': 'A sale was refunded',
  'sale.disputed': 'Dispute update',
  'subscription.renewing': 'A subscription is up for renewal',
  'subscription.renewed': 'A subscription renewed',
  'subscription.declined': 'We couldn’t renew a subscription',
  'subscription.reviewed': 'A payment is being reviewed',
  'subscription.ending': 'Your free time is ending',
  'subscription.canceled': 'A subscription is canceled',
  'subscription.ended': 'A subscription has ended',
  'subscription.price-changed': 'A subscription’s price changes',
  'subscription.extended': 'You got free time',
  'message.received': 'New message',
  'mass-message.changed': 'Mass message update',
  'custom.changed': 'Custom request update',
  'custom.sold': 'Custom request update',
  'creator.leaving': 'Download what you bought',
  'follower.added': 'New follower',
  'sale.made': 'New sale',
  'subscriber.added': 'New subscriber',
  'subscriber.canceled': 'A subscriber canceled',
  'subscriber.ended': 'A subscription to you ended',
  'tip.received': 'You got a tip',
  'bank-details.changed': 'Your bank details were saved',
  'payout.changed': 'Payout update',
  'shared-code.changed': 'Shared referral code update',
  'subreddit.decided': 'Subreddit program update',
  'forum.reconnect': 'Connect your forum account again',
  'verification.reminder': 'Verification reminder',
  'subreddit.changed': 'A subreddit changed its rules',
  'post.changed': 'Scheduled post update',
  'media.ready': 'Your upload is ready',
  'media.failed': 'An upload couldn’t be used',
  'media.quarantined': 'One of your items was taken down',
  'media.released': 'One of your items is back',
}

/** The title of a push notification. */
export function titleOf({ kind, data }: Pick<NotificationEvent, 'kind' | 'data'>): string {
  if (kind === 'media.quarantined' && 'changed' in data && data.changed)
    return 'The decision on one of your items changed'
  return titles[kind]
}

/** How long a message is worth delivering, in seconds, and how much a phone should mind its battery for it. */
export function deliveryOf(topic: NotificationTopic): { ttl: number; urgency: 'low' | 'normal' | 'high' } {
  if (topic === 'security') return { ttl: 72 * HOUR_SECONDS, urgency: 'high' }
  if (topic === 'followers' || topic === 'media') return { ttl: 12 * HOUR_SECONDS, urgency: 'low' }
  return { ttl: 24 * HOUR_SECONDS, urgency: 'normal' }
}

/** Of those with the same tag a browser shows the newest: messages by their sender, everything else by topic. */
export function tagOf(kind: NotificationKind, actorId: string | null): string {
  const topic = topicOf[kind]
  return topic === 'messages' && actorId ? `messages ${actorId}` : topic
}

/** In how many seconds a busy push service is asked again, after so many tries; null to give up. */
export function retryIn(tries: number, retryAfterSeconds: number | null): number | null {
  if (tries >= MAX_TRIES) return null
  const wait = Math.max(FIRST_WAIT_SECONDS * 4 ** (tries - 1), retryAfterSeconds ?? 0)
  return wait > LONGEST_WAIT_SECONDS ? null : wait
}
