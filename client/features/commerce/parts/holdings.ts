import type { Bundle, Subscription } from '../api.ts'

/** How many of a bundle's items the fan already has: `already have 2/9`; null when there are none or it has none. */
export function alreadyHave({
  ownedCount,
  mediaIds,
}: Pick<Bundle, 'ownedCount' | 'mediaIds'>): string | null {
  return ownedCount > 0 && mediaIds.length > 0 ? `already have ${ownedCount}/${mediaIds.length}` : null
}

/** Whether the fan has the subscription now: paid, on trial, in its days of grace, or canceled and paid to a day still ahead. */
export function isSubscribed(
  { status, expiration }: Pick<Subscription, 'status' | 'expiration'>,
  now: Date,
): boolean {
  if (status === 'active' || status === 'trialing' || status === 'past_due') return true
  return status === 'canceled' && expiration !== null && new Date(expiration) > now
}
