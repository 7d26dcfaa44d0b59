import { PRICE_NOTICE_DAYS, type TermMonths } from '../../../../contract/subscriptions.ts'
import { daysAfter, type PlanPrices, priceFor } from '../subscriptions/rules.ts'

/** A subscriber's price for the next period as agreed so far, in cents. */
export type Paying = { months: TermMonths; cents: number }

/** What a subscriber pays next: `next` is what was agreed in place of the subscription's own terms. */
export function payingOf(row: {
  months: TermMonths
  price_cents: number
  nextMonths: TermMonths | null
  nextCents: number | null
}): Paying {
  return { months: row.nextMonths ?? row.months, cents: row.nextCents ?? row.price_cents }
}

/** What a period that isn't paid costs: its open order as it was placed, else what is agreed by now. */
export function owedOf(row: Parameters<typeof payingOf>[0] & OpenOrder): Paying {
  const { owedMonths: months, owedCents: cents } = row
  return months === null || cents === null ? payingOf(row) : { months, cents }
}

type OpenOrder = { owedMonths: TermMonths | null; owedCents: number | null }

/**
 * The effect of a plan's new prices on one of its subscribers: a lower one is passed on, a higher one requested, if
 * anybody is asked. Null for no effect, as for a term that is no longer sold.
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

/** The request to a subscriber: from when on the price applies, when they were told of it, and their answer. */
export type Notice = {
  effective_from: Date
  told_at: Date | null
  agreed_at: Date | null
  declined_at: Date | null
}

/** From when on a higher price may hold: the days of notice begin now for who was neither told of it nor has answered. */
export function noticeEnds(notice: Notice, now: Date): Date {
  const { effective_from, told_at, agreed_at, declined_at } = notice
  return (told_at ?? agreed_at ?? declined_at) ? effective_from : daysAfter(now, PRICE_NOTICE_DAYS)
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
