import type { NotificationEvent, NotificationKind } from './notifications.ts'

type Of<K extends NotificationKind> = Extract<NotificationEvent, { kind: K }>['data']

const security = () => '/dashboard/security'
const earnings = () => '/dashboard/earnings'
const billing = () => '/dashboard/billing'
const fans = () => '/dashboard/fans'

const customRequest = ({ fromId, messageId }: { fromId: string; messageId: string | null }) =>
  `/dashboard/chat/${fromId}${messageId === null ? '' : `?message=${messageId}`}`

const paths: { [K in NotificationKind]: (data: Of<K>) => string } = {
  'email.change-requested': security,
  'email.taken': security,
  'password.changed': security,
  'factor.added': security,
  'factor.removed': security,
  'recovery-code.used': security,
  'deletion.requested': () => '/dashboard/privacy',
  'deletion.undone': () => '/dashboard',
  'account.suspended': () => '/dashboard',
  'export.ready': () => '/dashboard/privacy',
  'payment.refunded': earnings,
  'sale.refunded': earnings,
  'sale.disputed': earnings,
  'subscription.renewing': billing,
  'purchase.receipt': billing,
  'subscription.renewed': billing,
  'subscription.declined': billing,
  'subscription.reviewed': billing,
  'subscription.ending': ({ creator, creatorId }) =>
    creatorId === null ? billing() : `/users/${encodeURIComponent(creator)}`,
  'subscription.canceled': billing,
  'subscription.ended': billing,
  'subscription.price-changed': billing,
  'subscription.extended': billing,
  'message.received': ({ senderId }) => `/dashboard/chat/${senderId}`,
  'mass-message.changed': () => '/dashboard/mass-messages',
  'custom.changed': customRequest,
  'custom.sold': customRequest,
  'creator.leaving': () => '/yourcontent',
  'follower.added': fans,
  'sale.made': earnings,
  'subscriber.added': fans,
  'subscriber.canceled': fans,
  'subscriber.ended': fans,
  'tip.received': earnings,
  'bank-details.changed': earnings,
  'payout.changed': earnings,
  'shared-code.changed': () => '/dashboard/sharedrefs',
  'subreddit.decided': ({ state }) => (state === 'share' ? '/dashboard/earnings' : '/dashboard/sharedrefs'),
  'forum.reconnect': () => '/dashboard/reddit',
  'verification.reminder': ({ subreddit }) => `/editusersrinfo/${encodeURIComponent(subreddit)}`,
  'subreddit.changed': ({ subreddit }) => `/editsrinfo/${encodeURIComponent(subreddit)}`,
  'post.changed': () => '/dashboard/timeline',
  'media.ready': ({ mediaId }) => `/dashboard/edit/media/${mediaId}`,
  'media.failed': () => '/dashboard/uploadbulk',
  // What is deleted has no page to appeal on.
  'media.quarantined': ({ mediaId, deleted }) =>
    deleted ? `/contact?appeal=${encodeURIComponent(`/media/${mediaId}`)}` : `/media/${mediaId}`,
  'media.released': ({ mediaId }) => `/media/${mediaId}`,
}

/** Where a notification leads: a path of this site. */
export function notificationPath({ kind, data }: Pick<NotificationEvent, 'kind' | 'data'>): string {
  return (paths[kind] as (data: unknown) => string)(data)
}
