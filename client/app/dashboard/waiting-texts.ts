import { serverNow } from '../../lib/server-clock.ts'
import { dayOf, formatCount, formatDate } from '../../ui/format.ts'
import type { WaitingThing } from './waiting.ts'

type OfEach = Record<WaitingThing['kind'], (thing: WaitingThing) => string>

/** Since when something waits; of several the oldest. */
const waits = ({ count, since }: WaitingThing) => {
  if (since === null) return ''
  return count === 1 ? `Waiting since ${formatDate(since)}` : `Oldest waiting since ${formatDate(since)}`
}

const byDay = ({ due }: WaitingThing) => (due === null ? '' : formatDate(due))

/** Another card that is added pays for nothing that renews by this one. */
const replace = ({ count, name }: WaitingThing) =>
  `${formatCount(count, 'subscription')} ${count === 1 ? 'renews' : 'renew'} with ${name === null ? 'them. Replace them' : 'it. Replace it'} in Billing, or choose another card for renewals.`

const what: OfEach = {
  request_to_pay: ({ count, amount }) =>
    amount === null
      ? `${formatCount(count, 'custom request')} to pay`
      : `Pay ${amount} for your custom request`,
  past_due: ({ count }) => `${formatCount(count, 'subscription')} past due`,
  no_card: ({ count }) =>
    `${formatCount(count, 'subscription')} ${count === 1 ? 'has' : 'have'} no card to renew with`,
  card_expired: ({ name }) => (name === null ? 'Your cards have expired' : `${name} has expired`),
  card_expiring: (thing) =>
    thing.name === null
      ? `Your cards expire soon, starting ${byDay(thing)}`
      : `${thing.name} expires ${byDay(thing)}`,
  price_change: ({ count }) =>
    count === 1 ? 'A subscription’s price is going up' : `${count} subscription prices are going up`,
  request_to_deliver: ({ count }) => `${formatCount(count, 'paid request')} to deliver`,
  request_to_answer: ({ count }) => `${formatCount(count, 'custom request')} to answer`,
  forum_account: ({ count }) => `${formatCount(count, 'forum account')} can’t post`,
  post_failed: ({ count }) => `${formatCount(count, 'post')} failed`,
  post_overdue: ({ count }) => `${formatCount(count, 'post')} overdue`,
  post_by_hand: ({ count }) => `${formatCount(count, 'post')} to post manually`,
  payout_possible: ({ amount }) => `${amount} available for payout`,
  dispute: ({ count }) => `${formatCount(count, 'open dispute')}`,
  report: ({ count }) => `${formatCount(count, 'reported message')} to review`,
  finding: ({ count }) => formatCount(count, 'gateway mismatch', 'gateway mismatches'),
  stuck_payment: ({ count }) => `${formatCount(count, 'charge')} to refund`,
  payout: ({ count }) => `${formatCount(count, 'payout')} to approve`,
  payout_to_export: ({ count }) => `${formatCount(count, 'approved payout')} to send to the bank`,
  adjustment: ({ count }) => `${formatCount(count, 'book adjustment')} to approve`,
  subreddit: ({ count }) => `${formatCount(count, 'subreddit application')} to review`,
}

const note: OfEach = {
  request_to_pay: ({ name }) =>
    name === null ? 'Work starts when you pay.' : `${name} accepted it. Work starts when you pay.`,
  past_due: () => 'Update your card to keep your access, or to get it back.',
  no_card: () => 'Add one in Billing, or choose one for renewals.',
  card_expired: replace,
  card_expiring: replace,
  price_change: (thing) =>
    thing.count === 1
      ? `Agree by ${byDay(thing)}, or the subscription ends.`
      : `The first ends ${byDay(thing)} unless you agree.`,
  request_to_deliver: (thing) =>
    thing.count === 1
      ? `Deliver it by ${byDay(thing)}, or the payment is refunded.`
      : `Deliver the first by ${byDay(thing)}, or its payment is refunded.`,
  request_to_answer: waits,
  forum_account: () => 'Connect it again, or resume posting.',
  post_failed: () => 'In the last 7 days',
  post_overdue: () => 'Your queue is paused, or an account can’t post.',
  post_by_hand: waits,
  payout_possible: () => 'Request it whenever you like.',
  dispute: (thing) => {
    if (thing.due === null) return waits(thing)
    if (thing.due < dayOf(serverNow()))
      return thing.count === 1
        ? `The response was due ${byDay(thing)}`
        : `The first response was due ${byDay(thing)}`
    return thing.count === 1 ? `Respond by ${byDay(thing)}` : `Respond to the first by ${byDay(thing)}`
  },
  report: waits,
  finding: () => 'No payout can be approved until they’re resolved.',
  stuck_payment: waits,
  payout: waits,
  payout_to_export: waits,
  adjustment: waits,
  subreddit: waits,
}

/** Open tasks at the top of Home. */
export const waitingTexts = {
  decisions: 'Needs a decision',
  own: 'Needs you',
  noneTitle: 'Nothing needs a decision',
  none: 'Payouts, disputes, reports, and applications appear here when they wait for you.',
  loadFailed: 'We couldn’t load what needs you',
  what,
  note,
  unread: (count: number) => formatCount(count, 'unread conversation'),
  unreadNote: 'Answer in your messages.',
} as const
