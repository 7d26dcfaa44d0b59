import { MAX_DELIVERY_DAYS } from '../../../../contract/constants.ts'
import { formatCount, formatNumber, withCents } from '../../../ui/format.ts'
import type { Message } from '../cache/timeline.ts'

type RequestState = NonNullable<Message['customRequest']>['state']

/** Asking a creator for something custom. */
export const askTexts = {
  title: (name: string) => `Custom request to ${name}`,
  lead: 'You pay only if the creator accepts. If it isn’t delivered in time, you get a refund.',
  message: 'What would you like?',
  messageHint: 'Only you and the creator see this.',
  minutes: 'Maximum minutes',
  price: 'Price per minute',
  total: (price: string) => `Up to ${price} in total`,
  send: 'Send request',
  lost: 'Your request isn’t sent yet.',
  sent: 'Your request was sent. You’ll hear from the creator in your messages.',
} as const

const states: Record<RequestState, string> = {
  requested: 'Requested',
  accepted: 'Accepted',
  declined: 'Declined',
  paid: 'Paid',
  delivered: 'Delivered',
  overdue: 'Refund on its way',
  leaving: 'Refund on its way',
  refunded: 'Refunded',
  disputed: 'Disputed',
}

/** Where a request stands, in a word or two. */
export const stateText = (state: RequestState) => states[state]

/** A request, for the fan who sent it and the creator who got it. */
export const requestTexts = {
  label: 'Custom request',
  terms: (minutes: number, price: string) => `Up to ${minutes} min · ${price} per minute`,
  reason: (reason: string) => `Reason: ${reason}`,
  fan: {
    requested: 'You pay only if it’s accepted.',
    offered: (offer: string) => `You offered up to ${offer}.`,
    accepted: (days: number) => `Delivered within ${formatCount(days, 'day')} of your payment.`,
    declined: 'You weren’t charged.',
    paid: (day: string) => `Delivery by ${day}, or you get a refund.`,
    refunding: 'A refund is being sent to you. Delivery is on hold until that’s done.',
    delivered: 'It’s yours to keep.',
    overdue: 'It wasn’t delivered in time. Your refund is on its way.',
    leaving: 'An account is being deleted before this is due. Your refund is on its way.',
    refunded: 'Your payment was refunded.',
    refundedLate: 'It wasn’t delivered by its deadline, so your payment was refunded.',
    disputed: 'The payment is disputed.',
  },
  creator: {
    requested: 'Accept it with a price, or decline it.',
    accepted: (days: number) => `Waiting for payment. Then you have ${formatCount(days, 'day')} to deliver.`,
    declined: 'You declined this request.',
    paid: (day: string) => `Deliver it by ${day}, or the payment is refunded.`,
    refunding: 'A refund is being sent to the fan. Your deadline is on hold until that’s done.',
    delivered: 'You delivered this request.',
    overdue: 'You didn’t deliver it in time. The payment is being refunded.',
    leaving: 'An account is being deleted before this is due. The payment is being refunded.',
    refunded: 'The payment was refunded.',
    refundedLate: 'You didn’t deliver it by its deadline, so the payment was refunded.',
    disputed: 'The payment is disputed.',
  },
  accept: 'Accept',
  changePrice: 'Change price',
  decline: 'Decline',
  deliver: 'Deliver',
  pay: (price: string) => `Pay ${price}`,
  delete: 'Delete',
  forSale: (username: string) => `Custom request to @${username}`,
} as const

/** Answering a request, and taking it back. */
export const answerTexts = {
  accepting: {
    title: 'Accept this request',
    confirm: 'Accept request',
    done: 'Request accepted. The fan can pay now.',
  },
  changing: {
    title: 'Change price and deadline',
    confirm: 'Save',
    done: 'Saved. The fan can pay the new price now.',
  },
  price: 'Your price',
  priceHint: (offer: string) => `The fan offered up to ${offer}.`,
  above: (more: string, price: string) =>
    `That’s ${more} more than they offered. They decide whether to pay ${price}.`,
  below: (price: string) => `That’s less than they offered: they’ll be asked to pay ${price}.`,
  days: 'Days to deliver',
  daysHint: `1 to ${MAX_DELIVERY_DAYS} days, counted from the payment.`,
  declineTitle: 'Decline this request?',
  declineLost: 'You haven’t declined this request yet.',
  reason: 'Reason (optional)',
  reasonHint: 'The fan sees this.',
  decline: 'Decline request',
  declined: 'Request declined.',
  deliverTitle: 'Deliver this request',
  deliverCount: (count: number) => (count === 0 ? 'Deliver' : `Deliver ${formatCount(count, 'item')}`),
  tooMany: (limit: number) => `You can deliver up to ${formatNumber(limit)} items.`,
  wasDelivered: 'Delivered. The fan can open it now.',
  delete: 'Delete',
  deleteTitle: 'Delete this request?',
  deleteEffect: 'It’s deleted for both of you. This can’t be undone.',
} as const

/** The page with all of a person's requests. */
export const customsTexts = {
  title: 'Custom requests',
  lead: 'What you asked creators to make, and where each request stands.',
  creatorLead: 'What fans ask you to make, and where each request stands.',
  show: 'Show',
  received: 'Received',
  sent: 'Sent',
  list: 'Custom requests',
  loadFailed: 'We couldn’t load your custom requests',
  noneSent: 'No requests yet',
  noneSentHint: 'Open a creator’s profile and select Custom Request to ask for something made for you.',
  findCreators: 'Find creators',
  noneReceived: 'No requests from fans yet',
  noneReceivedHint: 'When a fan sends you a custom request, it appears here and in your messages.',
  from: (username: string) => `From ${username}`,
  to: (username: string) => `To ${username}`,
  open: 'View in chat',
} as const

/** Money in a conversation. */
export const tipTexts = {
  sent: (amount: string) => `You sent a ${withCents(amount)} tip`,
  received: (username: string, amount: string) => `${username} sent a ${withCents(amount)} tip`,
  refunded: 'Refunded',
} as const
