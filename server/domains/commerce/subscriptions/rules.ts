import { GRACE_MS, isSubscribed, type SubscriptionStatus } from '../../../../contract/subscriptions.ts'

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

/** What the ends of a subscription's periods are counted from. */
export type Schedule = {
  anchorAt: Date
  /** The period that ends at the anchor. */
  anchorPeriod: number
  /** Months that were given for free. */
  extendedMonths: number
}

/** Until when a subscription lasts whose period `period` is the last one paid. */
export function paidUntil({ anchorAt, anchorPeriod, extendedMonths }: Schedule, period: number): Date {
  return periodEnd(anchorAt, period - anchorPeriod + extendedMonths)
}

/** The same subscription with so many more free months. A month that ends early keeps the anchor's day for the next one. */
export function extended(
  schedule: Schedule,
  currentPeriodEnd: Date,
  months: number,
): { extendedMonths: number; currentPeriodEnd: Date } {
  const { anchorAt, anchorPeriod } = schedule
  const soFar = monthsBetween(anchorAt, currentPeriodEnd)
  const period = soFar + anchorPeriod - schedule.extendedMonths
  const extendedMonths = schedule.extendedMonths + months
  return { extendedMonths, currentPeriodEnd: paidUntil({ ...schedule, extendedMonths }, period) }
}

/** How many calendar months lie between the months of two moments. */
function monthsBetween(anchor: Date, end: Date): number {
  return (end.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + end.getUTCMonth() - anchor.getUTCMonth()
}

/** Subscriptions whose period ended before this moment have used up their grace, too. */
export function graceBegan(now: Date): Date {
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
