import { describe, expect, test } from 'vitest'
import { alreadyHave, isSubscribed } from './holdings.ts'

describe('alreadyHave', () => {
  test.each([
    [2, 9, 'already have 2/9'],
    [9, 9, 'already have 9/9'],
    [0, 9, null],
    [0, 0, null],
  ])('%i of %i: %s', (ownedCount, items, words) => {
    expect(alreadyHave({ ownedCount, mediaIds: Array.from({ length: items }, String) })).toBe(words)
  })
})

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
    expect(isSubscribed({ status, expiration }, now)).toBe(subscribed)
  })
})
