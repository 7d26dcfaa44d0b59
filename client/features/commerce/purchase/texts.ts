import { MAX_CARDS } from '../../../../contract/constants.ts'
import type { Kind } from '../../../../contract/orders.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'

/** What became of an item that can’t be paid anymore, where it isn’t on sale to everybody. */
const GONE: Partial<Record<Kind, string>> = {
  tip: 'This tip can’t be sent',
  donation: 'This tip can’t be sent',
  custom: 'This request can’t be paid anymore',
}

/** What is said to who has it, where that isn't something to keep. */
const HAS: Partial<Record<Kind, string>> = {
  subscription: 'Already Subscribed!',
  custom: 'This request is already paid.',
}

/** The dialog in which people buy by card. */
export const purchaseTexts = {
  subscribe: 'Subscribe',
  buyBundle: 'Buy bundle',
  buy: 'Buy',
  tip: 'Send a tip',
  undecidedTitle: 'Payment pending',
  subscribed: 'You’re subscribed',
  bought: 'Purchase complete',
  tipSent: 'Tip sent',
  requestPaid: 'Request paid',
  paid: 'paid',
  untitled: 'Untitled',
  by: (username: string, contents: string | undefined) => `by ${username}${contents ? ` · ${contents}` : ''}`,
  to: (username: string) => `to ${username}`,
  forTerm: (months: number) => (months === 1 ? 'per month' : `for ${months} months`),
  term: 'Subscription length',
  oneMonth: (price: string) => `1 month\n${price}`,
  months: (months: number, price: string) => `${months} months\n${price}`,
  saving: (perMonth: string, percent: number) => `${perMonth} a month. Save ${percent}%.`,
  forDays: (days: number) => `for ${formatCount(days, 'day')}`,
  contentsToo: (priceChanged: string) => `${priceChanged} The contents have changed, too.`,
  renews: (price: string, date: string, months: number) =>
    `Renews at ${price} on ${date} and every ${months === 1 ? 'month' : `${months} months`} after that until you cancel.`,
  paysOwed: 'This pays for the time since your last payment, so your renewal date stays the same.',
  reduced: (owned: number, items: number) =>
    `You already own ${formatNumber(owned)} of ${formatCount(items, 'item')}, so you only pay for the rest.`,
  notReduced: (owned: number, items: number) =>
    `You already have ${formatNumber(owned)} of ${formatCount(items, 'item')}. The price is for all of them.`,
  lent: {
    all: 'You can already see this with your subscription. Buy it to keep it after the subscription ends.',
    some: 'You can already see some of this with your subscription. Buy it to keep it after the subscription ends.',
  },
  itemsNow: (refusal: string, items: number) => `${refusal} It now has ${formatCount(items, 'item')}.`,
  deliveredWithin: (days: number) =>
    `Delivered within ${formatCount(days, 'day')} of your payment, or you get a refund.`,
  confirmTitle: 'Verify your email first',
  agree: 'I agree to the',
  terms: 'Terms of Service',
  and: 'and',
  privacy: 'Privacy Policy',
  agreeFirst: 'Please agree to the terms first.',
  subscribeFor: (price: string) => `Subscribe for ${price}`,
  pay: (price: string) => `Pay ${price}`,
  payWith: (card: string, price: string) => `${card} · Pay ${price}`,
  payByStored: (card: string) => `Pay with ${card}`,
  useAnother: 'Use another card',
  expired: (card: string) => `${card} has expired. Enter another card.`,
  saveCard: 'Save this card to pay in one tap next time',
  fullOfCards: `You have ${MAX_CARDS} saved cards, so this one won’t be saved.`,
  savedForRenewals: 'Your card is saved for renewals. You can change or remove it in Billing.',
  safe: 'Your card details go straight to the payment service. We never see your card number.',
  unansweredTitle: 'We haven’t heard back yet',
  unanswered: (why: string) => `${why} It’s safe to check again: you will not be charged twice.`,
  askAgain: 'Check again',
  undecided: 'Your payment is being checked',
  close: 'Close',
  has: (kind: Kind) => HAS[kind] ?? 'You already have this.',
  gone: (kind: Kind) => GONE[kind] ?? 'This is no longer for sale',
  notCharged: 'You have not been charged.',
  done: 'Processed Transaction',
  unlocked: 'Everything in it is unlocked. You’ll also find it in Your Content.',
  yours: 'It’s yours now. You’ll also find it in Your Content.',
  tipped: (username: string) => `Thank you! ${username} got your tip.`,
  customPaid: (username: string) =>
    `${username} can start now. You’ll get it in your messages, or a refund if it’s late.`,
  seeInside: 'See what’s inside',
  finish: 'Done',
} as const

/** Labels of the card fields, which the build puts into `card-frame.html`. */
export const cardLabels = {
  number: 'Card number',
  expiry: 'Expiration date',
  code: 'Security code',
  zip: 'ZIP code',
  address: 'Street (optional)',
} as const

/** The card fields and what is wrong with them. */
export const cardTexts = {
  title: 'Card details',
  missing: 'We couldn’t load the card fields',
  notLoaded: 'Accept.js not loaded. You have not been charged. Check your connection, then try again.',
  enterNumber: 'Enter your card number.',
  enterExpiry: 'Enter the expiration date as MM/YY.',
  enterCode: 'Enter the 3- or 4-digit security code.',
  enterAmexCode: 'Enter the 4-digit security code on the front of your card.',
  enterZip: 'Enter your billing ZIP or postal code, or 00000 if you don’t have one.',
  wrongNumber: 'This card number is invalid.',
  wrongMonth: 'This month is invalid.',
  wrongYear: 'This year is invalid.',
  expired: 'This card has expired.',
  wrongCode: 'This security code is invalid.',
  wrongZip: 'This ZIP code is invalid.',
  unanswered: 'The payment service didn’t respond. You have not been charged.',
  unreachable:
    'We can’t reach the payment service. You have not been charged. Check your connection and try again.',
  check: 'Please check your card details. You have not been charged.',
  refused:
    'The payment service couldn’t accept these card details. You have not been charged. Please try again in a moment.',
} as const
