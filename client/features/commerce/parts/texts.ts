import { formatCount, formatNumber } from '../../../ui/format.ts'

/** Everything that can be bought. */
export const offerTexts = {
  edit: 'Edit',
  empty: 'Nothing inside yet',
  yours: 'Yours',
  retired: 'No longer for sale',
} as const

/** The Bundles tab. */
export const bundleTexts = {
  title: 'Bundles',
  loadFailed: 'We couldn’t load the bundles',
  none: 'This creator has not created any bundles.',
  ownNone: 'You haven’t created any bundles yet.',
  create: 'Create a bundle',
  alreadyHave: (owned: number, all: number) => `already have ${formatNumber(owned)}/${formatNumber(all)}`,
  buy: 'Buy bundle',
  buyNamed: (title: string) => `Buy bundle ${title}`,
  hide: 'Hide what’s inside',
  see: 'See what’s inside',
} as const

/** The Subscriptions tab. */
export const subscriptionTexts = {
  chat: 'Chat included',
  allLocked: 'New uploads included',
  title: 'Subscriptions',
  loadFailed: 'We couldn’t load the subscriptions',
  none: 'This creator has no subscriptions.',
  ownNone: 'You haven’t created any subscriptions yet.',
  create: 'Create a subscription',
  perMonth: 'per month',
  from: (price: string, months: number) => `From ${price} per month for ${months} months`,
  subscribed: 'Already Subscribed!',
  subscribe: 'Subscribe',
  subscribeTo: (title: string) => `Subscribe to ${title}`,
  updateCard: 'Update card',
  seeBilling: 'Go to Billing',
  seePayment: 'Payment processing · Go to Billing',
  updateCardToPay: (owed: string) => `Update card to pay ${owed}`,
} as const

/** How often a price is paid. */
export const everyTerm = (price: string, months: number) =>
  months === 1 ? `${price} per month` : `${price} every ${months} months`

/** The Singles tab. */
export const singleTexts = {
  title: 'Singles',
  none: 'No Singles available.',
  ownNone: 'You aren’t selling any singles yet.',
  choose: 'Choose what to sell',
  video: 'Video',
  photo: 'Photo',
  view: 'View Media',
  buy: 'Buy',
  buyNamed: (title: string) => `Buy ${title}`,
} as const

/** The purchase that a visitor started. */
export const wishTexts = {
  subscribe: (username: string, price: string) => `Subscribe to ${username} · ${price}/mo`,
  trial: (username: string, days: number, price: string) =>
    `Subscribe to ${username} · ${formatCount(days, 'day')} for ${price}`,
  buy: (title: string, price: string) => `Buy ${title} · ${price}`,
  tip: (price: string) => `Send a tip of ${price}`,
} as const
