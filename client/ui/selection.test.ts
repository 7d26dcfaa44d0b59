import { expect, test } from 'vitest'
import { allTurned, NOTHING_SELECTED, turned, turnedBy } from './selection.ts'

const keys = [...'abcde']

test.each([
  ['', 'c', null, 'c', true],
  ['c', 'c', null, 'c', false],
  ['a', 'd', 'a', 'bcd', true],
  ['ad', 'e', 'b', 'bce', true],
  ['bcd', 'b', 'e', 'dcb', false],
  ['e', 'c', 'e', 'dc', true],
  ['a', 'x', null, '', false],
  ['a', 'c', 'x', 'c', true],
])('with "%s" selected, a click on %s from %s turns "%s" to %s', (chosen, key, anchor, items, on) => {
  const result = turnedBy({ items: keys, keyOf: (one) => one, chosen: new Set(chosen), key, anchor })
  expect([result.items.join(''), result.on]).toEqual([items, on])
})

test('a range begins at the row turned last, and all shown rows turn without changing others', () => {
  const two = turned(turned(NOTHING_SELECTED, keys, 'b', false), keys, 'd', true)
  expect([...two.chosen]).toEqual(['b', 'c', 'd'])
  const all = allTurned(two, ['d', 'e'])
  expect([...all.chosen]).toEqual(['b', 'c', 'd', 'e'])
  expect([...allTurned(all, ['d', 'e']).chosen]).toEqual(['b', 'c'])
})
