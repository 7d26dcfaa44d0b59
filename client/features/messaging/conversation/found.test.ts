import { expect, test } from 'vitest'
import { fromFound } from './found.ts'

test.each([
  ['short and near', 'NEAR', 'short and near'],
  [
    'a message that goes on for long before it comes to the point',
    ' The Point ',
    '…before it comes to the point',
  ],
  [`${'a'.repeat(40)}point, and on`, 'point', '…point, and on'],
  [
    'of another alphabet, so that it isn’t found alike',
    'ΟΔΟΣ',
    'of another alphabet, so that it isn’t found alike',
  ],
])('“%s” in which “%s” was found is shown as “%s”', (content, sought, shown) => {
  expect(fromFound(content, sought)).toBe(shown)
})
