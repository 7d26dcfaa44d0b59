import type { Kind } from './orders.ts'

/** What a creator can offer: a trial, a bundle or singles, for nothing or for less. */
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
 * What the page of an offer shows to one viewer, in the order in which it is decided. `login`: whether it is for them is
 * told once they are logged in; `gone`: what it gives can't be had anymore.
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

/** What is bought, or given, by an offer of this type. */
export const offeredKind = (type: OfferType): Kind => KIND_OF[type]

/** Whether it is paid for, by a purchase that names the offer. */
export const isDiscount = (type: OfferType): boolean => type.startsWith('discount')

/** Largest number of people that an offer is for by name, and of redemptions; longest trial; most singles. */
export const OFFER_LIMITS = { recipients: 100, redemptions: 100_000, days: 365, media: 100 } as const
