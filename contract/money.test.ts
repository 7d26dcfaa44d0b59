import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsOf, formatCents, split } from './money.ts'

const cents = fc.integer({ min: 1, max: 999_999_999 })
const percent = fc.integer({ min: 0, max: 10_000 }).map((basisPoints) => basisPoints / 100)

test('fee and share are whole cents that sum to gross, for any amount and percentage', () => {
  fc.assert(
    fc.property(cents, percent, (gross, fee) => {
      const { feeCents, shareCents } = split(gross, fee)
      expect(Number.isSafeInteger(feeCents) && Number.isSafeInteger(shareCents)).toBe(true)
      expect(feeCents).toBeGreaterThanOrEqual(0)
      expect(shareCents).toBeGreaterThanOrEqual(0)
      expect(feeCents + shareCents).toBe(gross)
    }),
    { numRuns: 20_000 },
  )
})

test('the platform never keeps more than its percentage, and less than a cent less', () => {
  fc.assert(
    fc.property(cents, percent, (gross, fee) => {
      const exact = BigInt(gross) * BigInt(Math.round(fee * 100))
      const kept = BigInt(split(gross, fee).feeCents) * 10_000n
      expect(kept <= exact && exact - kept < 10_000n).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})

test('fifty thousand random sales drift by nothing', () => {
  const sales = fc.sample(fc.tuple(cents, percent), { numRuns: 50_000, seed: 7 })
  let drift = 0n
  for (const [gross, fee] of sales) {
    const { feeCents, shareCents } = split(gross, fee)
    drift += BigInt(gross) - BigInt(feeCents) - BigInt(shareCents)
  }
  expect(drift).toBe(0n)
})

test.each([
  { gross: 1000, fee: 20, feeCents: 200, shareCents: 800 },
  { gross: 999, fee: 20, feeCents: 199, shareCents: 800 },
  { gross: 1, fee: 20, feeCents: 0, shareCents: 1 },
  { gross: 400, fee: 0, feeCents: 0, shareCents: 400 },
  { gross: 400, fee: 100, feeCents: 400, shareCents: 0 },
  { gross: 12_345, fee: 12.34, feeCents: 1523, shareCents: 10_822 },
  { gross: 999_999_999, fee: 99.99, feeCents: 999_899_999, shareCents: 100_000 },
])('$gross cents at $fee % leave the platform $feeCents', ({ gross, fee, ...parts }) => {
  expect(split(gross, fee)).toEqual(parts)
})

test.each([
  ['$4.50', 450],
  ['-$1,234.50', -123_450],
  ['$0', 0],
  ['', 0],
])('“%s” is %i cents', (amount, expected) => {
  expect(centsOf(amount)).toBe(expected)
})

test('an amount in a column of amounts shows its cents', () => {
  expect([0, 400, -450, 123_400].map(formatCents)).toEqual(['$0.00', '$4.00', '-$4.50', '$1,234.00'])
})
