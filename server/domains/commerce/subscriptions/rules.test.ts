import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extended, paidUntil, periodEnd, type Schedule } from './rules.ts'

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

test('whatever is renewed and extended, each period is charged once, its free months are not, and the day stays', () => {
  const anchors = fc.constantFrom(
    ...['2027-01-29', '2027-01-30', '2027-01-31', '2028-01-29', '2028-01-30', '2028-01-31', '2028-02-29'].map(
      (day) => new Date(`${day}T10:00:00.000Z`),
    ),
  )
  const steps = fc.array(fc.oneof(fc.constant('renew' as const), fc.constantFrom(1, 2, 3)), { maxLength: 40 })
  fc.assert(
    fc.property(anchors, fc.constantFrom(0, 1), steps, (anchorAt, anchorPeriod, taken) => {
      let schedule: Schedule = { anchorAt, anchorPeriod, extendedMonths: 0 }
      let period = 1
      let until = paidUntil(schedule, period)
      let months = 1 - anchorPeriod
      for (const step of taken) {
        const before = until
        if (step === 'renew') {
          period++
          until = paidUntil(schedule, period)
          months++
        } else {
          const { extendedMonths, currentPeriodEnd } = extended(schedule, until, step)
          schedule = { ...schedule, extendedMonths }
          until = currentPeriodEnd
          months += step
          // Paying no further period moves nothing: what is charged next begins behind the free months.
          expect(paidUntil(schedule, period)).toEqual(until)
        }
        expect(until > before).toBe(true)
        expect(until).toEqual(periodEnd(anchorAt, months))
        const lastDay = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() + 1, 0)).getUTCDate()
        expect(until.getUTCDate()).toBe(Math.min(anchorAt.getUTCDate(), lastDay))
      }
    }),
    { numRuns: 2000 },
  )
})
