import type { TermMonths } from '../../../../contract/subscriptions.ts'
import { type PlanPrices, priceFor } from '../subscriptions/rules.ts'

/** What a subscriber pays for the next period as it stands, in cents. */
export type Paying = { months: TermMonths; cents: number }

/**
 * What new prices of a plan mean for one of its subscribers: a lower one is passed on, a higher one asked for, if anybody
 * is asked. Null: nothing, as for a term that is no longer sold.
 */
export function consequence(
  prices: PlanPrices,
  { months, cents }: Paying,
  { ask }: { ask: boolean },
): { kind: 'lower' | 'asked'; cents: number } | null {
  const now = priceFor(prices, months)
  if (now === null || now === cents) return null
  if (now < cents) return { kind: 'lower', cents: now }
  return ask ? { kind: 'asked', cents: now } : null
}

/** Whether a plan costs the same as before for the month and for each term that it had; terms may be new. */
export function keepsPrices(before: PlanPrices, now: PlanPrices): boolean {
  const had = (months: TermMonths) => before.terms.some((term) => term.months === months)
  return samePrices(before, { ...now, terms: now.terms.filter(({ months }) => had(months)) })
}

/** Whether a plan costs the same as before for whatever term. */
export function samePrices(one: PlanPrices, other: PlanPrices): boolean {
  const discounts = ({ terms }: PlanPrices) =>
    terms
      .map(({ months, discountPercent }) => `${months} ${discountPercent}`)
      .sort()
      .join()
  return one.price_cents === other.price_cents && discounts(one) === discounts(other)
}
