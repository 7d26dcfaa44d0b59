import { describe, expect, test } from 'vitest'
import { isSubscribed } from './subscriptions.ts'

describe('isSubscribed', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const ahead = '2026-11-21T12:00:01.000Z'
  const passed = '2026-11-21T12:00:00.000Z'
  test.each([
    ['active', passed, true],
    ['trialing', ahead, true],
    ['past_due', passed, true],
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
