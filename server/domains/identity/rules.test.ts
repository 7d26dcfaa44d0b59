import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isExtensionDue, normalReferralCode, readableCode } from './rules.ts'

test('a referral code has a readable symbol for every byte, and normalises to itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (bytes) => {
      const code = readableCode(bytes)
      expect(code).toMatch(/^[0-9a-z]+$/)
      expect(code).not.toMatch(/[ilou]/)
      expect(code).toHaveLength(bytes.length)
      expect(normalReferralCode(` ${code.toUpperCase()} `)).toBe(code)
    }),
  )
})

test.each([
  [59 * 60, false],
  [60 * 60, true],
  [0, false],
])('a session seen %i seconds ago is extended: %s', (seconds, due) => {
  const now = new Date('2026-06-01T12:00:00Z')
  expect(isExtensionDue(new Date(now.getTime() - seconds * 1000), now)).toBe(due)
})
