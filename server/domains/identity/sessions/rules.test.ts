import { expect, test } from 'vitest'
import { deviceName, isExtensionDue, sessionExpiry } from './rules.ts'

const MOZILLA = 'Mozilla/5.0'
test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36`,
    'Chrome on Windows',
  ],
  [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/153.0 Safari/537.36 Edg/153.0`, 'Edge on Windows'],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`${MOZILLA} (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0`, 'Firefox on Android'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15`, 'Safari on macOS'],
  ['curl/8.9 (Linux)', 'Linux'],
  ['', 'Unknown device'],
])('%s is %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))

test.each([
  [59 * 60, false],
  [60 * 60, true],
  [0, false],
])('a session seen %i seconds ago is extended: %s', (seconds, due) => {
  const now = new Date('2026-06-01T12:00:00Z')
  expect(isExtensionDue(new Date(now.getTime() - seconds * 1000), now)).toBe(due)
})

const DAY_MS = 24 * 3600 * 1000
test.each([
  [0, 30],
  [59, 89],
  [61, 90],
  [89, 90],
])('a session of %i days ends at its day %i', (age, end) => {
  const startedAt = new Date('2026-06-01T12:00:00Z')
  const now = new Date(startedAt.getTime() + age * DAY_MS)
  expect(sessionExpiry({ now, startedAt })).toEqual(new Date(startedAt.getTime() + end * DAY_MS))
})
