export type SubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'

/** Statuses that a subscription has while it may still give access; one of them at a time for each fan and plan. */
export const LIVE_STATUSES: SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'canceled']

/** Access stays this many days after the paid period, while a renewal may still succeed (docs/product.md, Money). */
export const GRACE_DAYS = 3
export const GRACE_MS = GRACE_DAYS * 24 * 3600 * 1000

/** Until when a subscription that renews gives access: its paid period and the days of grace. */
export function accessUntil(currentPeriodEnd: Date): Date {
  return new Date(currentPeriodEnd.getTime() + GRACE_MS)
}

/**
 * The one rule of who is subscribed: paid, in its days of grace, or on a free trial or canceled to a day still ahead.
 * `expiration` is the end of the paid period, or of the trial.
 */
export function isSubscribed(
  subscription: { status: SubscriptionStatus | null; expiration: Date | null },
  now: Date,
): boolean {
  const { status, expiration } = subscription
  if (status === null || expiration === null || !LIVE_STATUSES.includes(status)) return false
  return (status === 'canceled' || status === 'trialing' ? expiration : accessUntil(expiration)) > now
}

/** By how many months a subscription can be extended for free. */
export const EXTENSION_MONTHS = [1, 2, 3] as const

/** Free days that can be given in one step. */
export const MAX_FREE_DAYS = 365

/** The content of a subscription: all locked media of its creator, now and from now on, or chosen items. */
export const INCLUDES = ['allLocked', 'chosen'] as const
export type Includes = (typeof INCLUDES)[number]

/** For how many months a subscription can be charged at a time. */
export const TERM_MONTHS = [1, 3, 6, 12] as const
export type TermMonths = (typeof TERM_MONTHS)[number]

/** The terms that a creator may offer beside the single month, and what each may take off, in percent. */
export const LONGER_TERMS = [3, 6, 12] as const
export const TERM_DISCOUNT = { least: 1, most: 50 } as const

/** The most that one term may cost, in cents: what money on the wire can say. */
export const MAX_TERM_CENTS = 999_999_999

/** The price in cents of a term of so many months: the months at their price, less the discount, rounded once. */
export function termCents(monthlyCents: number, months: number, discountPercent: number): number {
  return Math.round((monthlyCents * months * (100 - discountPercent)) / 100)
}

/** The price of a month in a term, in cents; rounded up, so that it never says less than is paid. */
export function monthOfTermCents(cents: number, months: number): number {
  return Math.ceil(cents / months)
}

/** Days between the notice of a higher price and the first charge of it. */
export const PRICE_NOTICE_DAYS = 30
