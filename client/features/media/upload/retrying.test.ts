import { expect, test } from 'vitest'
import { waitAfter } from './retrying.ts'

test.each([
  [0, true, 0, 1_000],
  [1, true, 0, 2_000],
  [0, true, 30_000, 30_000],
  [5, true, 0, null],
  [5, false, 0, 15_000],
])('after %i failures, online %s and asked for %i ms it waits %s ms', (failures, online, asked, wait) => {
  expect(waitAfter(failures, online, asked)).toBe(wait)
})
