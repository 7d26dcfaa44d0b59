import type { ErrorCode } from '../../../../contract/errors.ts'
import type { OfferType, OfferView } from '../../../../contract/offers.ts'

/** How an offer stands, whoever looks at it. */
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
  /** What it gives can still be had. */
  given: boolean
  /** Has all of it already. */
  owns: boolean
}

/** What the page of an offer shows; the order of the lines is the product's precedence (docs/product.md, Offers). */
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

/** What an offer shows of what it gives: all but those whom it isn't for know. */
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

/** What a discount offer agrees to beside what is sold. */
export type OfferTerms = {
  id: string
  /** Of a trial: its days, and what each month after them costs. */
  trial: { days: number; renewalCents: number } | null
}

const DAYS_OF_A_MONTH = 30

/** Below which price an offer is one: a trial is compared with as many whole months as it has begun. */
export function regularCents(monthlyOrWhole: number, days: number | null): number {
  return monthlyOrWhole * (days === null ? 1 : Math.ceil(days / DAYS_OF_A_MONTH))
}

/**
 * What an offer of this price costs now: no more than what it is of costs without it, since its creator may have lowered
 * that. Singles of which one has left the store for no price keep the offer's.
 */
export function offeredCents(cents: number, monthlyOrWhole: number, days: number | null): number {
  const regular = regularCents(monthlyOrWhole, days)
  return regular > 0 ? Math.min(cents, regular) : cents
}
