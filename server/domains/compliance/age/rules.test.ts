import { expect, test } from 'vitest'
import { ageVerifiedBy } from './rules.ts'

test.each([
  [false, '', null],
  [false, 'cookie', 'visitor'],
  [false, 'account', 'visitor'],
  [false, 'operator', 'operator'],
  [false, 'operator cookie', 'operator'],
  [false, 'provider operator account cookie', 'provider'],
  [true, '', null],
  [true, 'account cookie', null],
  [true, 'operator account', 'operator'],
  [true, 'provider', 'provider'],
])('restricted %s, with the yes or approval of “%s”: %s', (restricted, has, verifier) => {
  const visitor = {
    restricted,
    approvedByProvider: has.includes('provider'),
    approvedByOperator: has.includes('operator'),
    confirmedOnAccount: has.includes('account'),
    cookie: has.includes('cookie'),
  }
  expect(ageVerifiedBy(visitor)).toBe(verifier)
})
