import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  LONGER_TERMS,
  MAX_TERM_CENTS,
  TERM_DISCOUNT,
  TERM_MONTHS,
} from '../../../../contract/subscriptions.ts'
import { areTermsPayable, monthsLater, periodEnd, priceFor } from './rules.ts'

test.each([
  { anchor: '2027-01-31T10:00:00.000Z', count: 1, end: '2027-02-28T10:00:00.000Z' },
  { anchor: '2027-01-31T10:00:00.000Z', count: 2, end: '2027-03-31T10:00:00.000Z' },
  { anchor: '2028-01-31T23:59:59.999Z', count: 1, end: '2028-02-29T23:59:59.999Z' },
  { anchor: '2027-12-15T00:00:00.000Z', count: 1, end: '2028-01-15T00:00:00.000Z' },
  { anchor: '2028-02-29T12:00:00.000Z', count: 12, end: '2029-02-28T12:00:00.000Z' },
  { anchor: '2027-10-31T00:30:00.000Z', count: 1, end: '2027-11-30T00:30:00.000Z' },
])('period $count of $anchor ends at $end', ({ anchor, count, end }) => {
  expect(periodEnd(new Date(anchor), count).toISOString()).toBe(end)
})

test('periods follow one another, 28 to 31 days each, and never slide off the anchor', () => {
  const anchors = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(anchors, fc.integer({ min: 0, max: 120 }), (anchor, count) => {
      const days = (periodEnd(anchor, count + 1).getTime() - periodEnd(anchor, count).getTime()) / 86_400_000
      expect(days).toBeGreaterThanOrEqual(28)
      expect(days).toBeLessThanOrEqual(31)
      expect(periodEnd(anchor, 12 * 4 * 7).getUTCHours()).toBe(anchor.getUTCHours())
      const [day, anchorDay] = [periodEnd(anchor, count).getUTCDate(), anchor.getUTCDate()]
      expect(day === anchorDay || (day < anchorDay && day >= 28)).toBe(true)
    }),
    { numRuns: 5000 },
  )
})

test('whatever is renewed for whatever term, and extended, an end is so many months after the anchor, and the day stays', () => {
  const anchors = fc.constantFrom(
    ...['2027-01-29', '2027-01-30', '2027-01-31', '2028-01-29', '2028-01-30', '2028-01-31', '2028-02-29'].map(
      (day) => new Date(`${day}T10:00:00.000Z`),
    ),
  )
  const steps = fc.array(fc.constantFrom(1, 2, 3, 6, 12), { maxLength: 40 })
  fc.assert(
    fc.property(anchors, fc.constantFrom(0, ...TERM_MONTHS), steps, (anchorAt, first, taken) => {
      let months: number = first
      let until = periodEnd(anchorAt, first)
      for (const step of taken) {
        const before = until
        until = monthsLater({ anchorAt, currentPeriodEnd: until }, step)
        months += step
        expect(until > before).toBe(true)
        expect(until).toEqual(periodEnd(anchorAt, months))
        const lastDay = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() + 1, 0)).getUTCDate()
        expect(until.getUTCDate()).toBe(Math.min(anchorAt.getUTCDate(), lastDay))
      }
    }),
    { numRuns: 2000 },
  )
})

test.each([
  { from: '2027-01-31', months: 3, ends: ['2027-04-30', '2027-07-31', '2027-10-31', '2028-01-31'] },
  { from: '2027-11-30', months: 3, ends: ['2028-02-29', '2028-05-30', '2028-08-30'] },
  { from: '2027-08-31', months: 6, ends: ['2028-02-29', '2028-08-31', '2029-02-28'] },
  { from: '2027-08-29', months: 6, ends: ['2028-02-29', '2028-08-29', '2029-02-28'] },
  { from: '2028-02-29', months: 12, ends: ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'] },
])('terms of $months months from $from end by the calendar', ({ from, months, ends }) => {
  const anchorAt = new Date(`${from}T10:00:00.000Z`)
  let currentPeriodEnd = anchorAt
  for (const end of ends) {
    currentPeriodEnd = monthsLater({ anchorAt, currentPeriodEnd }, months)
    expect(currentPeriodEnd.toISOString()).toBe(`${end}T10:00:00.000Z`)
  }
})

const discounts = fc.integer({ min: TERM_DISCOUNT.least, max: TERM_DISCOUNT.most })
const longer = fc.constantFrom(...LONGER_TERMS)

test('a term costs its months less the discount, to half a cent, more than one month and less than all', () => {
  const monthly = fc.integer({ min: 1, max: MAX_TERM_CENTS })
  fc.assert(
    fc.property(monthly, longer, discounts, (price_cents, months, discountPercent) => {
      const prices = { price_cents, terms: [{ months, discountPercent }] }
      const cents = priceFor(prices, months) ?? Number.NaN
      expect(Number.isInteger(cents)).toBe(true)
      expect(Math.abs(100 * cents - price_cents * months * (100 - discountPercent))).toBeLessThanOrEqual(50)
      expect(cents).toBeGreaterThan(price_cents)
      expect(cents).toBeLessThanOrEqual(price_cents * months)
      expect(priceFor(prices, 1)).toBe(price_cents)
      expect(areTermsPayable(prices)).toBe(cents <= MAX_TERM_CENTS)
    }),
    { numRuns: 5000 },
  )
})

test('a higher discount or a lower price never makes a term dearer', () => {
  const monthly = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(monthly, monthly, longer, discounts, discounts, (one, other, months, less, more) => {
      const price = (price_cents: number, discountPercent: number) =>
        priceFor({ price_cents, terms: [{ months, discountPercent }] }, months) ?? Number.NaN
      expect(price(Math.min(one, other), Math.max(less, more))).toBeLessThanOrEqual(
        price(Math.max(one, other), Math.min(less, more)),
      )
    }),
    { numRuns: 2000 },
  )
})

test('a plan is sold for no other terms than it offers', () => {
  const prices = { price_cents: 1000, terms: [{ months: 6 as const, discountPercent: 15 }] }
  expect(TERM_MONTHS.map((months) => priceFor(prices, months))).toEqual([1000, null, 5100, null])
})
