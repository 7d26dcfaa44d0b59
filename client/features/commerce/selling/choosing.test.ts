import { expect, test } from 'vitest'
import { turnedBy } from './choosing.ts'

const items = [...'abcde'].map((_id) => ({ _id }))

test.each([
  ['', 2, null, 'c', true],
  ['c', 2, null, 'c', false],
  ['a', 3, 0, 'bcd', true],
  ['ad', 4, 1, 'bce', true],
  ['bcd', 1, 4, 'dcb', false],
  ['e', 2, 4, 'dc', true],
  ['a', 9, null, '', false],
])('with "%s" chosen, a click on %i from %s turns "%s" to %s', (chosen, index, anchor, turned, on) => {
  const result = turnedBy(items, new Set(chosen), index, anchor)
  expect([result.items.map(({ _id }) => _id).join(''), result.on]).toEqual([turned, on])
})
