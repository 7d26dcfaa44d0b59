import { describe, expect, test } from 'vitest'
import { accessUntil, isSubscribed } from './subscriptions.ts'

describe('isSubscribed', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const ahead = '2026-11-21T12:00:01.000Z'
  const passed = '2026-11-21T12:00:00.000Z'
  const inGrace = '2026-11-18T12:00:00.001Z'
  const pastGrace = '2026-11-18T12:00:00.000Z'
  test.each([
    ['active', passed, true],
    ['trialing', ahead, true],
    ['trialing', passed, false],
    ['past_due', inGrace, true],
    ['past_due', pastGrace, false],
    ['active', pastGrace, false],
    ['canceled', ahead, true],
    ['canceled', passed, false],
    ['canceled', null, false],
    ['expired', ahead, false],
    ['incomplete', ahead, false],
    [null, null, false],
  ] as const)('%s until %s: %s', (status, expiration, subscribed) => {
    const end = expiration === null ? null : new Date(expiration)
    expect(isSubscribed({ status, expiration: end }, now)).toBe(subscribed)
  })
})

test('access outlives the paid period by three days', () => {
  expect(accessUntil(new Date('2027-02-28T10:00:00.000Z')).toISOString()).toBe('2027-03-03T10:00:00.000Z')
})
