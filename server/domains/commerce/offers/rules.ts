import type { ErrorCode } from '../../../../contract/errors.ts'
import type { OfferType, OfferView } from '../../../../contract/offers.ts'

/** The state of an offer, whoever views it. */
export type OfferState = {
  ended_at: Date | null
  expires_at: Date | null
  redemptions_allowed: number
  redemptions_taken: number
  available_to_all: boolean
}

/** How a viewer stands to an offer. */
export type OfferViewer = {
  loggedIn: boolean
  own: boolean
  redeemed: boolean
  /** Began to pay for it, so that one of the redemptions is theirs already. */
  reserved: boolean
  /** Named among the people it is for. */
  invited: boolean
  /** Whether its content is still available. */
  given: boolean
  /** Has all of it already. */
  owns: boolean
}

/** The view of an offer's page; the order of the lines is the product's precedence (docs/product.md, Offers). */
export function viewOf(offer: OfferState, viewer: OfferViewer, now: Date): OfferView {
  if (isOver(offer, now)) return 'expired'
  if (viewer.redeemed) return 'redeemed'
  if (!viewer.loggedIn && !offer.available_to_all) return 'login'
  if (viewer.own) return 'own'
  if (!offer.available_to_all && !viewer.invited) return 'unavailable'
  if (!viewer.given) return 'gone'
  if (isUsedUp(offer) && !viewer.reserved) return 'usedUp'
  return viewer.owns ? 'owned' : 'open'
}

const REFUSED: Record<Exclude<OfferView, 'open' | 'owned'>, ErrorCode> = {
  expired: 'offer_expired',
  redeemed: 'offer_redeemed',
  login: 'not_authenticated',
  own: 'own_item',
  unavailable: 'offer_unavailable',
  gone: 'item_not_found',
  usedUp: 'offer_used_up',
}

/** Why somebody to whom an offer shows this view can't redeem it; null when they can. */
export function redeemRefusal(view: OfferView, type: OfferType): ErrorCode | null {
  if (view === 'open') return null
  if (view === 'owned') return type.endsWith('Trial') ? 'already_subscribed' : 'already_owned'
  return REFUSED[view]
}

/** Whether an offer shows its content: to everyone except people whom it isn't for. */
export const showsContents = (view: OfferView): boolean =>
  ['redeemed', 'own', 'usedUp', 'owned', 'open'].includes(view)

/** How an offer stands in its creator's list. */
export function statusOf(offer: OfferState, now: Date): 'active' | 'expired' | 'usedUp' | 'ended' {
  if (offer.ended_at) return 'ended'
  if (isOver(offer, now)) return 'expired'
  return isUsedUp(offer) ? 'usedUp' : 'active'
}

function isOver({ ended_at, expires_at }: OfferState, now: Date): boolean {
  return ended_at !== null || (expires_at !== null && expires_at <= now)
}

function isUsedUp({ redemptions_allowed: allowed, redemptions_taken: taken }: OfferState): boolean {
  return allowed > 0 && taken >= allowed
}

/** The terms of a discount offer besides its product's. */
export type OfferTerms = {
  id: string
  /** Of a trial: its days, and what each month after them costs. */
  trial: { days: number; renewalCents: number } | null
}

const DAYS_OF_A_MONTH = 30

/**
 * The price below which an offer is a discount: a trial is compared with the full price of each month that it starts.
 */
export function regularCents(monthlyOrWhole: number, days: number | null): number {
  return monthlyOrWhole * (days === null ? 1 : Math.ceil(days / DAYS_OF_A_MONTH))
}

/**
 * An offer's price now: never more than the regular price, which its creator may have lowered since. Singles keep the
 * offer's price if one of them left the store.
 */
export function offeredCents(cents: number, monthlyOrWhole: number, days: number | null): number {
  const regular = regularCents(monthlyOrWhole, days)
  return regular > 0 ? Math.min(cents, regular) : cents
}
