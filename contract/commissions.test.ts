import { expect, test } from 'vitest'
import { rateAfter } from './commissions.ts'

test.each([
  [0, 7],
  [11, 7],
  [12, 6.9],
  [13, 6.8],
  [36, 4.5],
  [60, 2.1],
  [61, 2],
  [62, 2],
  [600, 2],
])('after %i full months the rate is %f%%', (months, percent) => {
  expect(rateAfter(months)).toBe(percent)
})
