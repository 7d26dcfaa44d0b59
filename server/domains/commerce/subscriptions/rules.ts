/** Access stays this many days after the paid period, while a renewal may still succeed (docs/product.md, Money). */
const GRACE_DAYS = 3
const DAY_MS = 24 * 3600 * 1000

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

/** Until when a subscription gives access: its paid period and the days of grace. */
export function accessUntil(currentPeriodEnd: Date): Date {
  return new Date(currentPeriodEnd.getTime() + GRACE_DAYS * DAY_MS)
}

/** Subscriptions whose period ended before this moment have used up their grace, too. */
export function graceBegan(now: Date): Date {
  return new Date(now.getTime() - GRACE_DAYS * DAY_MS)
}
