import type { Kind } from './orders.ts'

/** The types of offers: a trial, a bundle or singles, for free or at a discount. */
export const OFFER_TYPES = [
  'freeTrial',
  'discountTrial',
  'freeBundle',
  'discountBundle',
  'freeSingles',
  'discountSingles',
] as const
export type OfferType = (typeof OFFER_TYPES)[number]

/**
 * The views of an offer's page, in the order in which they are decided. `login`: after logging in, people learn
 * whether it is for them; `gone`: its content isn't available anymore.
 */
export const OFFER_VIEWS = [
  'expired',
  'redeemed',
  'login',
  'own',
  'unavailable',
  'gone',
  'usedUp',
  'owned',
  'open',
] as const
export type OfferView = (typeof OFFER_VIEWS)[number]

const KIND_OF: Record<OfferType, Kind> = {
  freeTrial: 'subscription',
  discountTrial: 'subscription',
  freeBundle: 'bundle',
  discountBundle: 'bundle',
  freeSingles: 'singles',
  discountSingles: 'singles',
}

/** The kind of order that an offer of this type makes, or the grant it gives. */
export const offeredKind = (type: OfferType): Kind => KIND_OF[type]

/** Whether it is paid for, by a purchase that names the offer. */
export const isDiscount = (type: OfferType): boolean => type.startsWith('discount')

/** Largest number of people that an offer is for by name, and of redemptions; longest trial; most singles. */
export const OFFER_LIMITS = { recipients: 100, redemptions: 100_000, days: 365, media: 100 } as const
