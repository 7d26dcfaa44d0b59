import { formatCount } from '../../../ui/format.ts'

/** The page of a person's subscriptions and receipts. */
export const billingTexts = {
  title: 'Billing',
  lead: 'Your subscriptions, your cards, and what you paid.',
  subscriptions: 'Subscriptions',
  subscriptionsFailed: 'We couldn’t load your subscriptions',
  noSubscriptions: 'No subscriptions',
  noSubscriptionsWhy: 'Subscriptions appear here with their price and the next charge.',
  browse: 'Browse All Content',
  ended: 'Ended subscriptions',
  endedFailed: 'We couldn’t load your ended subscriptions',
  free: 'Free trial',
  freeUntil: (date: string) => `Ends automatically on ${date}. You won’t be charged.`,
  renewsOn: (date: string, card: string) => `Renews ${date} with ${card}`,
  renewsOtherwise: (date: string, cost: string, card: string) =>
    `Changes to ${cost} on ${date}, with ${card}`,
  endsAsDeclined: (date: string) => `Ends ${date}. You won’t be charged again.`,
  endsUnlessAgreed: (date: string) => `Ends ${date} unless you agree to the new price.`,
  endsNowAsDeclined: 'You declined the new price, so it ends. You won’t be charged again.',
  endsNowUnlessAgreed: 'It ends unless you agree to the new price.',
  priceChange: {
    title: (creator: string, cost: string) => `${creator} wants to raise your price to ${cost}`,
    open: (before: string, date: string) =>
      `You pay ${before} until ${date}. If you agree, the new price is charged from then on. If you don’t, your subscription ends that day, and you won’t be charged again.`,
    agreed: (cost: string, date: string) => `You agreed. You’ll pay ${cost} from ${date}.`,
    declined: (before: string, date: string) =>
      `You declined. You pay ${before} until ${date}. Your subscription ends that day, and you won’t be charged again.`,
    openDue: (cost: string) =>
      `If you agree, ${cost} is due now. If you don’t, your subscription ends, and you won’t be charged again.`,
    agreedDue: (cost: string) => `You agreed to ${cost}, which is due now.`,
    declinedDue: 'You declined, so your subscription ends, and you won’t be charged again.',
    asked: {
      title: (price: string) => `Decline ${price}?`,
      effect: 'Your paid period is over, so your subscription ends. You won’t be charged again.',
      keep: 'Go back',
    },
    agree: (price: string) => `Agree to ${price}`,
    agreeNamed: (price: string, title: string) => `Agree to ${price} for ${title}`,
    decline: 'Decline',
    declineNamed: (price: string, title: string) => `Decline ${price} for ${title}`,
  },
  paidFor: (months: number) => `${months} months`,
  changeTerm: 'Change term',
  changeTermNamed: (title: string) => `Change term of ${title}`,
  term: {
    title: (title: string) => `Change the term of ${title}`,
    effect: (date: string) => `It starts with your next charge on ${date}. Nothing is charged now.`,
    label: 'Subscription length',
    length: (length: string, price: string) => `${length}\n${price}`,
    current: 'Your current term',
    perMonth: (price: string) => `${price} a month`,
    save: 'Change term',
    changed: (date: string) => `Your term changes on ${date}.`,
    kept: 'Your term stays the same.',
  },
  processing: 'Your renewal payment is being processed.',
  noCard: (date: string) => `No card to renew with. Add one by ${date} to keep it.`,
  accessUntil: (date: string) => `Access until ${date}. You won’t be charged again.`,
  resumable: (cost: string) => `If you resume it, you’ll pay ${cost} from then on.`,
  retired: 'No longer for sale. You keep it, and it renews as before.',
  retiredUnpaid: 'No longer for sale. Once this payment goes through, you keep it, and it renews as before.',
  notRenewed: (date: string) => `Not for sale anymore. Access until ${date}, and no further charge.`,
  pastDue: (owed: string, date: string) =>
    `We couldn’t charge your card ${owed}. You have access until ${date}. Update your card to keep it.`,
  pastDueWithout: (owed: string, accessEnded: string) =>
    `We couldn’t charge your card ${owed}, so your access ended on ${accessEnded}. Update your card to get it back.`,
  owedWithoutCard: (owed: string, date: string) =>
    `There’s no card to charge ${owed}. You have access until ${date}. Add a card to keep it.`,
  owedWithoutCardOrAccess: (owed: string, accessEnded: string) =>
    `There’s no card to charge ${owed}, so your access ended on ${accessEnded}. Add a card to get it back.`,
  endedOn: (date: string) => `Ended ${date}`,
  cancel: 'Cancel',
  cancelNamed: (title: string) => `Cancel ${title}`,
  resume: 'Resume',
  resumeNamed: (title: string) => `Resume ${title}`,
  resumed: (next: string) => `Resumed. ${next}`,
  canceled: (date: string) => `Canceled. You have access until ${date}.`,
  canceledNow: 'Canceled. It has ended.',
  returned: (amount: string) => `${amount} returned`,
  refunded: (amount: string) => `${amount} refunded`,
  reduced: (fullPrice: string, owned: number) =>
    `${fullPrice}, less ${formatCount(owned, 'item')} you already had`,
  asked: {
    title: (title: string) => `Cancel ${title}?`,
    effect: (date: string) =>
      `You keep access until ${date} and won’t be charged again. You can resume it until then.`,
    effectNow: 'Its paid period is over, so your access ends now. You won’t be charged again.',
    confirm: 'Cancel subscription',
    keep: 'Keep it',
  },
  pending: 'Pending payments',
  receipts: 'Receipts',
  receiptsFailed: 'We couldn’t load your receipts',
  noReceipts: 'No receipts yet',
  noReceiptsWhy: 'What you buy appears here with its date and price.',
  receiptNumber: (number: string) => `Receipt number ${number}`,
  totalSpent: 'Total spent',
} as const

/** How a subscription stands, in a word or two. */
export const subscriptionStatusTexts = {
  incomplete: 'Incomplete',
  trialing: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  processing: 'Processing',
  ending: 'Ending',
  canceled: 'Canceled',
  expired: 'Ended',
} as const
