import { expect, test } from 'vitest'
import { isAgeVerified } from './rules.ts'

test.each<[restricted: boolean, approved: boolean, account: boolean, cookie: boolean, verified: boolean]>([
  [false, false, false, false, false],
  [false, false, false, true, true],
  [false, false, true, false, true],
  [false, true, false, false, true],
  [true, false, false, false, false],
  [true, false, true, true, false],
  [true, true, false, false, true],
])(
  'restricted %s, approved %s, said on the account %s, said in the cookie %s: %s',
  (restricted, approved, confirmedOnAccount, cookie, verified) => {
    expect(isAgeVerified({ restricted, approved, confirmedOnAccount, cookie })).toBe(verified)
  },
)
