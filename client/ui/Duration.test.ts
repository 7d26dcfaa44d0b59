import { expect, it } from 'vitest'
import { formatDuration } from './Duration.tsx'

it.each([
  [0, '0m 0s'],
  [59, '0m 59s'],
  [60, '1m 0s'],
  [250, '4m 10s'],
  [59.6, '1m 0s'],
  [3725, '62m 5s'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})
