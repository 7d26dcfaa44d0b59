import type { ErrorCode } from '../../../../contract/errors.ts'
import type { SubscriptionStatus } from '../../../../contract/subscriptions.ts'

/** What decides whether a subscription is charged for another period. */
export type Renewable = {
  planDeletedAt: Date | null
  /** The account is suspended, being deleted, or erased. */
  creatorHiddenAt: Date | null
  fanHiddenAt: Date | null
  /** One of the two blocked the other. */
  blocked: boolean
}

/** Whether another period may be charged: what can't be bought now isn't renewed either (docs/product.md, Money). */
export function isRenewable(subscription: Renewable): boolean {
  const { planDeletedAt, creatorHiddenAt, fanHiddenAt, blocked } = subscription
  return planDeletedAt === null && creatorHiddenAt === null && fanHiddenAt === null && !blocked
}

type Paid = Renewable & { status: SubscriptionStatus; expiration: Date; disputed: boolean }

/** Why a canceled subscription can't be resumed; null when it can, or was never canceled. */
export function resumeRefusal(subscription: Paid, now: Date): ErrorCode | null {
  const { status, expiration } = subscription
  if (status === 'expired' || status === 'incomplete') return 'subscription_ended'
  if (status !== 'canceled') return null
  if (expiration <= now) return 'subscription_ended'
  return isRenewable(subscription) && !subscription.disputed ? null : 'not_renewable'
}
