export type SubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'canceled' | 'expired'

/** Statuses that a subscription has while it may still give access; one of them at a time for each fan and plan. */
export const LIVE_STATUSES: SubscriptionStatus[] = ['trialing', 'active', 'past_due', 'canceled']

/**
 * The one rule of who is subscribed: paid, on trial, in its days of grace, or canceled and paid to a day still ahead.
 * `expiration` is the end of the paid period.
 */
export function isSubscribed(
  subscription: { status: SubscriptionStatus | null; expiration: Date | null },
  now: Date,
): boolean {
  const { status, expiration } = subscription
  if (status === 'canceled') return expiration !== null && expiration > now
  return status !== null && LIVE_STATUSES.includes(status)
}
