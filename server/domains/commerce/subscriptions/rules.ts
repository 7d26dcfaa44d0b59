import {
  GRACE_MS,
  isSubscribed,
  MAX_TERM_CENTS,
  type SubscriptionStatus,
  type TermMonths,
  termCents,
} from '../../../../contract/subscriptions.ts'

/** A plan's prices: a month, and longer terms for less. */
export type PlanPrices = { price_cents: number; terms: { months: TermMonths; discountPercent: number }[] }

/** A plan's price for a term of so many months, in cents; null if it isn't sold for that long. */
export function priceFor({ price_cents: monthly, terms }: PlanPrices, months: TermMonths): number | null {
  if (months === 1) return monthly
  const term = terms.find((offered) => offered.months === months)
  return term ? termCents(monthly, months, term.discountPercent) : null
}

/** Whether each term of a plan costs what money on the wire can say. */
export function areTermsPayable(prices: PlanPrices): boolean {
  return prices.terms.every(({ months }) => (priceFor(prices, months) ?? 0) <= MAX_TERM_CENTS)
}

/**
 * When period `count` of a subscription ends: so many calendar months after the anchor, on the last day of a shorter
 * month (docs/product.md, Money: 31 January → 28 February → 31 March). All in UTC.
 */
export function periodEnd(anchor: Date, count: number): Date {
  const end = new Date(anchor)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(anchor.getUTCDate(), lastDay))
  return end
}

/** How many whole calendar months lie between two moments; none while the second isn't later. */
export function monthsPassed(since: Date, now: Date): number {
  const months = monthsBetween(since, now)
  return Math.max(0, periodEnd(since, months) > now ? months - 1 : months)
}

/**
 * The base from which the ends of a subscription's periods are counted: the anchor, and how many months after it the
 * last one ended.
 */
export type Schedule = { anchorAt: Date; currentPeriodEnd: Date }

/** Until when a subscription lasts that is paid, or given, so many months more. An end on a shorter month keeps the anchor's day for the next one. */
export function monthsLater({ anchorAt, currentPeriodEnd }: Schedule, months: number): Date {
  return periodEnd(anchorAt, monthsBetween(anchorAt, currentPeriodEnd) + months)
}

/** When a subscription that is renewed for so many months at a time is first renewed at or after a moment. */
export function firstRenewal({ anchorAt, currentPeriodEnd }: Schedule, months: number, from: Date): Date {
  let renewal = currentPeriodEnd
  while (renewal < from) renewal = monthsLater({ anchorAt, currentPeriodEnd: renewal }, months)
  return renewal
}

/** How many calendar months lie between the months of two moments. */
function monthsBetween(anchor: Date, end: Date): number {
  return (end.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + end.getUTCMonth() - anchor.getUTCMonth()
}

/** Subscriptions whose period ended before this moment have used up their grace, too. */
export function graceCutoff(now: Date): Date {
  return new Date(now.getTime() - GRACE_MS)
}

/** The moment so many days later. */
export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * 24 * 3600 * 1000)
}

/** The status that people are told: a canceled one, or a trial, whose time is over is `expired`, also before that was written down. */
export function statusAt(
  subscription: { status: SubscriptionStatus; expiration: Date },
  now: Date,
): SubscriptionStatus {
  const { status } = subscription
  const endsByItself = status === 'canceled' || status === 'trialing'
  return endsByItself && !isSubscribed(subscription, now) ? 'expired' : status
}
