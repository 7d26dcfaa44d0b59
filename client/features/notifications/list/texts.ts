import type { NotificationKind, Told } from '../../../../contract/notifications.ts'
import { formatCount, formatDate, formatNumber } from '../../../ui/format.ts'

type Of<K extends NotificationKind> = Extract<Told, { kind: K }>['data']

const backOf = (cut: Of<'payout.changed'>['cut']) =>
  cut
    ? `${cut.back} of it is back in your balance; the rest was taken back or is on hold for refunds and disputes.`
    : 'The amount is back in your balance.'

/** The lines of the list, by kind. */
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
  'account.suspended': ({ ended }) =>
    ended ? 'Your account is no longer suspended.' : 'Your account was suspended.',
  'export.ready': () => 'Your data is ready to download.',
  'payment.refunded': ({ amount, title, late, why }) => {
    if (why === 'alreadyHad') return `You already had “${title}”, so we refunded ${amount}.`
    if (why === 'gone')
      return `Your payment of ${amount} for “${title}” went through too late, so we refunded it.`
    if (why === 'notApproved')
      return `Your payment of ${amount} for “${title}” wasn’t approved. You weren’t charged.`
    return late
      ? `“${title}” wasn’t delivered by its deadline, so we refunded ${amount}.`
      : `We refunded ${amount} of your payment for “${title}”.`
  },
  'sale.refunded': ({ amount, title, share }) =>
    `We refunded ${amount} paid for “${title}”, and took back ${share} of your share.`,
  'sale.disputed': ({ title, state }) =>
    ({
      opened: `A buyer disputed your sale of “${title}”.`,
      won: `You won the dispute over “${title}”.`,
      lost: `You lost the dispute over “${title}”.`,
    })[state],
  'purchase.receipt': ({ title, amount }) => `You paid ${amount} for “${title}”.`,
  'subscription.renewing': ({ title, amount, on: day, noCard }) =>
    noCard
      ? `Add a card by ${formatDate(day)} to keep “${title}”.`
      : `“${title}” renews ${formatDate(day)} for ${amount}.`,
  'subscription.renewed': ({ title, amount, until }) =>
    `We charged ${amount} for “${title}”. It’s paid until ${formatDate(until)}.`,
  'subscription.declined': ({ title, amount, noCard }) =>
    noCard ? `Add a card to keep “${title}”.` : `We couldn’t charge ${amount} for “${title}”.`,
  'subscription.reviewed': ({ title, amount }) =>
    `Your payment of ${amount} for “${title}” is being reviewed. Your access comes back once it’s approved.`,
  'subscription.ending': ({ title, on: day }) => `Your free time on “${title}” ends ${formatDate(day)}.`,
  'subscription.canceled': ({ title, until: day }) =>
    `You canceled “${title}”. You have access until ${formatDate(day)}.`,
  'subscription.ended': ({ title }) => `Your subscription “${title}” has ended.`,
  'subscription.price-changed': ({ state, title, amount, on: day }) => {
    const asked = `“${title}” will cost ${amount}. Agree or decline by ${formatDate(day)}.`
    return {
      lower: `“${title}” costs ${amount} from ${formatDate(day)}.`,
      asked,
      lastCall: asked,
      kept: `“${title}” stays at ${amount}. You don’t need to do anything.`,
      ending: `“${title}” ends ${formatDate(day)} because you declined its new price. You can resume it until then.`,
    }[state]
  },
  'subscription.extended': ({ title, creator, until: day }) =>
    `${creator} gave you free time on “${title}” until ${formatDate(day)}.`,
  'message.received': ({ from }) => `${from} sent you a message.`,
  'mass-message.changed': ({ sent, stopped, leftOut }) =>
    sent
      ? `Your scheduled message was sent without ${formatCount(leftOut, 'item')}.`
      : stopped
        ? 'Your mass message was stopped.'
        : 'Your mass message wasn’t sent.',
  'custom.changed': ({ from, state, amount, before }) =>
    ({
      requested: `${from} sent you a custom request.`,
      accepted: before
        ? before === amount
          ? `${from} changed the delivery time of your custom request.`
          : `${from} changed the price of your custom request from ${before} to ${amount}.`
        : `${from} accepted your custom request for ${amount}.`,
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
  'bank-details.changed': ({ lastFour, until: day }) =>
    `Payouts now go to the account that ends in ${lastFour}, from ${formatDate(day)}.`,
  'payout.changed': ({ amount, state, cut }) =>
    ({
      approved: `Your payout of ${amount} was approved.`,
      paid: `Your payout of ${amount} was sent to your bank.`,
      failed: `Your payout of ${amount} failed. ${backOf(cut)}`,
      canceled: `Your payout of ${amount} was canceled. ${backOf(cut)}`,
      returned: `Your bank sent your payout of ${amount} back. ${backOf(cut)}`,
    })[state],
  'shared-code.changed': ({ from, state }) =>
    state === 'invited'
      ? `${from} invited you to share a referral code.`
      : `${from} removed you from a shared referral code.`,
  'subreddit.decided': ({ state, subreddit, amount }) =>
    ({
      approved: `r/${subreddit} was approved. You earn ${amount}.`,
      declined: `r/${subreddit} was declined.`,
      share: `You earned ${amount} as a moderator of r/${subreddit}.`,
    })[state],
  'forum.reconnect': ({ account }) => `The forum no longer accepts ${account}. Connect it again.`,
  'verification.reminder': ({ subreddit }) => `Reminder: get verified in r/${subreddit}.`,
  'subreddit.changed': ({ subreddit }) =>
    `r/${subreddit} changed. Check that the post you planned there still fits.`,
  'post.changed': ({ state, subreddit, title, reason, on }) =>
    ({
      moved:
        `“${title}” in r/${subreddit} was moved to ${on ? formatDate(on) : 'a later time'}. ${reason ?? ''}`.trim(),
      failed: `“${title}” wasn’t posted in r/${subreddit}.`,
      unknown: `We’re not sure that “${title}” was posted in r/${subreddit}.`,
      waiting: `It’s time to post “${title}” in r/${subreddit}.`,
      removed: `“${title}” was removed from r/${subreddit}.`,
      uncommented: `The first comment on “${title}” in r/${subreddit} wasn’t posted.`,
    })[state],
  'media.ready': ({ title }) => `“${title}” is ready to publish.`,
  'media.failed': ({ title, reason }) => `We couldn’t use “${title}”. ${reason}`,
  'media.quarantined': ({ title, reason, changed }) =>
    [changed ? `“${title}” stays down.` : `“${title}” was taken down.`, reason].filter(Boolean).join(' '),
  'media.released': ({ title }) => `“${title}” is back. Everyone who could see it before can see it again.`,
}

/** The lines for several of one kind on one day. */
const several: Partial<Record<NotificationKind, (count: number) => string>> = {
  'follower.added': (count) => `${formatCount(count, 'person', 'people')} followed you.`,
  'media.ready': (count) => `${formatCount(count, 'upload')} are ready to publish.`,
  'media.failed': (count) => `We couldn’t use ${formatNumber(count)} of your uploads.`,
}

export const canGroup = (kind: NotificationKind) => kind in several

/** One line of the list: of one notification, or of several of the same kind. */
export function lineOf(event: Told, count: number): string {
  if (count > 1) return several[event.kind]?.(count) ?? ''
  return (lines[event.kind] as (data: unknown) => string)(event.data)
}
