import type { ErrorCode } from '../../../../contract/errors.ts'
import { type SubscriptionStatus, TERM_MONTHS, type TermMonths } from '../../../../contract/subscriptions.ts'
import { owedOf, type Paying } from '../price-changes/rules.ts'
import { daysAfter, type PlanPrices, priceFor } from '../subscriptions/rules.ts'
import { LAST_DAY } from './charging/rules.ts'

/** The facts that decide whether a subscription is charged for another period. */
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

/**
 * What another card is charged for this subscription at once; null unless it is past due, not to end unpaid, as after its
 * last day, and no attempt to pay it is still undecided.
 */
export function owedNow(
  row: Renewable &
    Parameters<typeof owedOf>[0] & {
      status: SubscriptionStatus
      expiration: Date
      lacksConsent: boolean
      isUndecided: boolean
    },
  now: Date,
): Paying | null {
  if (row.status !== 'past_due' || row.lacksConsent || row.isUndecided) return null
  if (daysAfter(row.expiration, LAST_DAY) <= now) return null
  return isRenewable(row) ? owedOf(row) : null
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

/** A subscription, and what is sold in its place now. */
export type Changeable = Renewable & {
  status: SubscriptionStatus
  expiration: Date
  planRetiredAt: Date | null
  /** The higher price that its creator asks for. */
  askedCents: number | null
  months: TermMonths
  /** The price of its own term from the next renewal on. */
  keptCents: number
  planCents: number
  terms: PlanPrices['terms']
}

/** Why the term of a subscription can't be changed; null when it can. */
export function termRefusal(subscription: Changeable, now: Date): ErrorCode | null {
  const { status, expiration } = subscription
  // A period that is due is charged as agreed.
  const isPaid = status === 'active' && expiration > now
  if (!isPaid || !isRenewable(subscription)) return 'term_unchangeable'
  return subscription.askedCents === null ? null : 'price_change_open'
}

/**
 * The terms that a fan may choose, in cents: their own, at their own price unless it's sold for less, and others at
 * today's prices.
 */
export function termsOf(subscription: Changeable, now: Date): { months: TermMonths; cents: number }[] {
  if (termRefusal(subscription, now)) return []
  const { months: own, keptCents, planCents, terms, planRetiredAt } = subscription
  return TERM_MONTHS.flatMap((months) => {
    const cents = planRetiredAt ? null : priceFor({ price_cents: planCents, terms }, months)
    if (months === own) return { months, cents: Math.min(keptCents, cents ?? keptCents) }
    return cents === null ? [] : { months, cents }
  })
}
