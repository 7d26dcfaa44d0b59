import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalReferralCode, readableCode } from './rules.ts'

test('a referral code has a readable symbol for every byte, and normalizes to itself', () => {
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
