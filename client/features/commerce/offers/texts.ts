import type { OfferType, OfferView } from '../../../../contract/offers.ts'
import { formatCount, formatNumber } from '../../../ui/format.ts'

const days = (count: number) => formatCount(count, 'day')

/** A creator's offers. */
export const offersTexts = {
  title: 'Offers',
  lead: 'Give fans a free trial, a gift, or a discount, each with its own link.',
  create: 'Create an offer',
  list: 'Your offers',
  loadFailed: 'We couldn’t load your offers',
  noneTitle: 'No offers yet',
  none: 'Offers appear here with their link, views, redemptions, and earnings.',
  free: 'Free',
  forDays: days,
  toEveryone: 'For everyone',
  toSome: (names: string[]) => `For ${names.join(', ')}`,
  expires: (date: string) => `Expires ${date}`,
  expired: (date: string) => `Expired ${date}`,
  neverExpires: 'Never expires',
  link: 'Link to this offer',
  views: 'Views',
  redeemed: 'Redeemed',
  redeemedOf: (count: number, allowed: number) =>
    allowed === 0 ? formatNumber(count) : `${formatNumber(count)} of ${formatNumber(allowed)}`,
  earnings: 'Earnings',
  status: { active: 'Active', expired: 'Expired', usedUp: 'All claimed', ended: 'Ended' },
  end: 'End',
  endNamed: (what: string) => `End ${what}`,
  ended: 'Offer ended.',
  endAsk: {
    title: 'End this offer?',
    effect: 'No one can redeem it anymore. Fans who did keep what they got. This can’t be undone.',
    confirm: 'End offer',
  },
  remove: 'Delete',
  removeNamed: (what: string) => `Delete ${what}`,
  removed: 'Offer deleted.',
  removeAsk: {
    title: 'Delete this offer?',
    effect: 'Its link stops working and its figures are gone. Fans who redeemed it keep what they got.',
    confirm: 'Delete offer',
  },
} as const

/** The name of an offer in its creator's list. */
export const typeTexts: Record<OfferType, string> = {
  freeTrial: 'Free trial',
  discountTrial: 'Discounted trial',
  freeBundle: 'Free bundle',
  discountBundle: 'Discounted bundle',
  freeSingles: 'Free singles',
  discountSingles: 'Discounted singles',
}

/** The form that makes an offer. */
export const formTexts = {
  lost: 'The offer you started will be lost.',
  what: 'What do you offer?',
  kinds: { Trial: 'A subscription trial', Bundle: 'A bundle', Singles: 'Singles' },
  cost: 'For how much?',
  costs: { free: 'Free', discount: 'At a discount' },
  subscription: 'Subscription',
  days: 'Days',
  daysHint: 'A free trial ends automatically. A discounted one renews at the regular price.',
  bundle: 'Bundle',
  noneSold: {
    subscription: 'You have no subscription for sale yet. Create one in your shop first.',
    bundle: 'You have no bundle for sale yet. Create one in your shop first.',
  },
  allEmpty: 'Your bundles are empty. Add media to one in your shop first.',
  choose: 'Choose one',
  priced: (title: string, price: string) => `${title} (${price})`,
  media: 'Singles',
  gone: (count: number) =>
    count === 1
      ? 'One of the singles you chose isn’t for sale anymore. Remove it and try again.'
      : `${formatNumber(count)} of the singles you chose aren’t for sale anymore. Remove them and try again.`,
  removeGone: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${formatNumber(count)}`),
  noMedia: 'You have no singles for sale yet. Put media in your shop first.',
  price: 'Price',
  people: 'Who is it for?',
  everyone: 'Everyone with the link',
  noPeople: 'No one with this username. Type a fan’s full username.',
  limit: 'Number of redemptions',
  limitHint: '0 means unlimited.',
  wrongLimit: 'Enter a whole number, 0 for unlimited.',
  wrongDays: 'Enter a number of days from 1 to 365.',
  expires: 'Last day',
  expiresHint: 'Leave empty for no end date.',
  submit: 'Create offer',
  created: 'Offer created. Copy its link to share it.',
} as const

/** The page on which an offer is redeemed. */
export const offerTexts = {
  title: 'Offer',
  loadFailed: 'We couldn’t load this offer',
  missing: 'There’s no offer here',
  from: 'An offer from',
  headline: {
    freeTrial: (count: number) => `${days(count)} free`,
    discountTrial: (count: number, price: string) => `${days(count)} for ${price}`,
    free: (what: string) => `${what}, free`,
    discount: (what: string, price: string) => `${what} for ${price}`,
    singles: (count: number) => formatCount(count, 'single'),
  },
  youGet: 'You get',
  pay: 'You pay',
  later: 'After that',
  until: 'Offer ends',
  everything: 'Everything in it',
  nothing: '$0. No card needed.',
  today: (price: string) => `${price} today`,
  reduced: (owned: number) => `You already own ${formatCount(owned, 'item')}, so you only pay for the rest.`,
  instead: (price: string) => `Instead of ${price}.`,
  endsItself: (date: string) => `It ends automatically on ${date}. You won’t be charged.`,
  renews: (price: string, date: string) => `${price} per month from ${date}, until you cancel`,
  keep: 'Yours to keep. Nothing renews.',
  redeem: { Trial: 'Start free trial', Bundle: 'Get it free', Singles: 'Get it free' },
  buy: {
    Trial: (price: string) => `Subscribe for ${price}`,
    other: (price: string) => `Get it for ${price}`,
  },
  visitor: 'Sign up or log in to redeem this offer.',
  signUp: 'Sign Up',
  logIn: 'Log in',
  verify: 'Verify your email to redeem this offer.',
  wish: (name: string, what: string) => `${name}’s offer: ${what}`,
  doneTitle: 'It’s yours',
  done: {
    free: 'Everything in it is unlocked until your trial ends.',
    paid: 'Everything in it is unlocked. Your subscription is in Billing.',
    other: 'You’ll find it in Your Content.',
  },
  see: 'See what’s inside',
  profile: (name: string) => `See ${name}’s profile`,
  manage: 'Manage your offers',
} as const

/** Sentences shown in place of an offer; the first three are fixed. */
export const viewTexts: Record<Exclude<OfferView, 'open' | 'login'>, { title: string; text?: string }> = {
  expired: { title: 'Sorry, this offer is expired' },
  redeemed: { title: 'You have already redeemed this offer' },
  unavailable: { title: "You don't have access to this page", text: 'This offer is for other people.' },
  gone: {
    title: 'This offer isn’t available anymore',
    text: 'What it gives was taken down or is no longer for sale.',
  },
  usedUp: { title: 'This offer is gone', text: 'Everyone it was meant for has claimed it.' },
  owned: { title: 'You already have this', text: 'There’s nothing left to redeem.' },
  own: { title: 'This is your offer', text: 'Fans can redeem it here. Copy its link from your offers.' },
}

/** Offers to be put into a message. */
export const insertTexts = {
  title: 'Insert an offer',
  none: 'You have no active offers.',
  create: 'Create an offer',
  failed: 'We couldn’t load your offers',
  insert: 'Insert link',
  insertOf: (name: string) => `Insert the link of “${name}”`,
  noOffer: 'None',
  ended: 'An offer that’s no longer available to everyone',
} as const
