import type { RouteName } from '../../../contract/index.ts'
import type { Delivery } from '../../../contract/notifications.ts'

type Kind = Delivery['message']['kind']

/** Every kind of mail with the calls that cause it: a kind without them doesn't compile, and a call that no test makes fails. */
export const CALLS = {
  'email.confirm': ['signup', 'resendEmailConfirmation', 'changeEmail', 'editProfile'],
  'email.taken': ['changeEmail', 'editProfile'],
  'email.change-requested': ['changeEmail', 'editProfile'],
  'password.reset': ['requestReset'],
  'password.changed': ['changePassword', 'updatePassword'],
  'factor.added': ['confirmTotp', 'addPasskey'],
  'factor.removed': ['removeTotp', 'removePasskey'],
  'recovery-code.used': ['finishLogin', 'reauthenticate'],
  'deletion.requested': ['deleteAccount'],
  'deletion.undone': ['login', 'finishLogin'],
  'account.suspended': ['suspendPerson', 'reinstatePerson'],
  'export.ready': ['requestExport'],
  'payment.refunded': ['refund', 'refundOutside'],
  'sale.refunded': ['refund', 'refundOutside'],
  'sale.disputed': ['openDispute', 'decideDispute'],
  'purchase.receipt': ['purchase', 'payCustomRequest'],
  // Of a subscription jobs tell, and the payment of a period, which there is once.
  'subscription.renewing': [],
  'subscription.renewed': [],
  'subscription.declined': [],
  'subscription.reviewed': [],
  'subscription.ending': [],
  'subscription.canceled': [],
  'subscription.ended': [],
  'subscription.price-changed': ['editSubscription'],
  'subscription.extended': ['giveFreeDays', 'extendSubscription'],
  // Messages come by sockets, and a job tells of those that nobody reads.
  'message.received': [],
  'custom.changed': [
    'createCustomRequest',
    'acceptCustomRequest',
    'declineCustomRequest',
    'deliverCustomRequest',
  ],
  'custom.sold': ['payCustomRequest'],
  'mass-message.changed': [],
  'creator.leaving': ['deleteAccount'],
  'follower.added': ['toggleFollow'],
  'sale.made': ['purchase'],
  'subscriber.added': ['purchase'],
  'subscriber.canceled': ['cancelSubscription'],
  // A job tells of it.
  'subscriber.ended': [],
  'tip.received': ['purchase'],
  'payout.changed': ['decidePayout'],
  'bank-details.changed': ['saveBankDetails'],
  'shared-code.changed': ['createSharedCode', 'editSharedCode'],
  'subreddit.decided': ['decideSubreddit', 'paySubredditShare'],
  // When the forum took a grant back, and on a day that one chose oneself.
  'forum.reconnect': [],
  'verification.reminder': [],
  'subreddit.changed': [],
  'post.changed': [],
  // By files of one's own.
  'media.ready': [],
  'media.failed': [],
  'media.quarantined': ['quarantineMedia'],
  'media.released': ['releaseMedia'],
  // A job sends one a day.
  'notifications.digest': [],
  // It tells of what the calls above cause, when that is more than an hour takes.
  'notifications.summary': [],
  'contact.message': ['contact'],
} as const satisfies Record<Kind, readonly RouteName[]>
