import { GRACE_MS } from '../../../../contract/subscriptions.ts'

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

/** Subscriptions whose period ended before this moment have used up their grace, too. */
export function graceBegan(now: Date): Date {
  return new Date(now.getTime() - GRACE_MS)
}

/** The moment so many days later. */
export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * 24 * 3600 * 1000)
}
