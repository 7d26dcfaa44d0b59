export type SubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'

/** Statuses that a subscription has while it may still give access; one of them at a time for each fan and plan. */
export const LIVE_STATUSES: SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'canceled']

/** Access stays this many days after the paid period, while a renewal may still succeed (docs/product.md, Money). */
export const GRACE_MS = 3 * 24 * 3600 * 1000

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

/** What a subscription includes: all locked media of its creator, now and from now on, or what was chosen. */
export const INCLUDES = ['allLocked', 'chosen'] as const
export type Includes = (typeof INCLUDES)[number]
