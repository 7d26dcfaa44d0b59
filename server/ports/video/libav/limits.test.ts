import { expect, test } from 'vitest'
import { cropTimeoutMs, defaultLimits, maxVideoSeconds, pictureTimeoutMs, timeLimit } from './limits.ts'

/** Fewer than any video of it has, for each second. */
const BYTES = 50_000
/** Seconds of work for each second of 1080p, measured on two quiet cores. */
const PACE = 1.6
const MINUTE = 60_000

test.each([
  ['a clip of a second', 1],
  ['20 minutes', 20 * 60],
  ['two hours', 2 * 3600],
  ['the longest video that is taken', maxVideoSeconds],
])('%s of 1080p has six times the time it takes', (_, seconds) => {
  expect(timeLimit(defaultLimits, { seconds, bytes: seconds * BYTES })).toBeGreaterThan(
    seconds * PACE * 6 * 1000,
  )
})

test('20 minutes may take longer than the 15 that a file without length has', () => {
  expect(timeLimit(defaultLimits, { seconds: 0, bytes: BYTES })).toBe(15 * MINUTE)
  expect(timeLimit(defaultLimits, { seconds: 20 * 60, bytes: 20 * 60 * BYTES })).toBeGreaterThan(
    20 * PACE * MINUTE,
  )
})

test('a picture has minutes less, and what a person waits for is over before the page gives up', () => {
  expect(pictureTimeoutMs).toBeLessThanOrEqual(2 * MINUTE)
  // A call ends after 60 seconds when it carries files.
  expect(cropTimeoutMs).toBeLessThan(MINUTE)
})

test('no length leaves a file without an end, and a small one has little more than a picture', () => {
  const seconds = maxVideoSeconds
  expect(timeLimit(defaultLimits, { seconds, bytes: Infinity })).toBeLessThan(3 * 24 * 60 * MINUTE)
  expect(timeLimit(defaultLimits, { seconds, bytes: 100_000 })).toBeLessThan(16 * MINUTE)
})
