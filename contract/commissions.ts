/** Both ways to count what referring somebody earns; the setting `REFERRAL_COMMISSION` chooses (docs/product.md, Referrals). */
export const COMMISSION_READINGS = ['affiliate', 'lifetime'] as const
export type CommissionReading = (typeof COMMISSION_READINGS)[number]

export const FIRST_PERCENT = 7
export const BASE_PERCENT = 2
export const FIRST_MONTHS = 12

/** The commission in percent on somebody who signed up `months` full months ago (docs/product.md, Limits and Referrals, `affiliate`). */
export function rateAfter(months: number): number {
  const monthsOfDecay = Math.max(0, months - FIRST_MONTHS + 1)
  return Math.max(BASE_PERCENT, (FIRST_PERCENT * 10 - monthsOfDecay) / 10)
}

/** The smallest subreddit that the subreddit program accepts. */
export const MIN_AFFILIATE_SUBSCRIBERS = 1000

/** A cent for each subscriber to the referrer, and as much to the subreddit. */
const CENTS_PER_SUBSCRIBER = 1

/** Each of the two shares of an approved subreddit, in cents. */
export function shareCents(subscribers: number): number {
  return subscribers * CENTS_PER_SUBSCRIBER
}
