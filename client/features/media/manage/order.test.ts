import { expect, test } from 'vitest'
import { arranged, moved, repaged } from './order.ts'

test.each([
  [0, 2, 'bcad'],
  [3, 0, 'dabc'],
  [1, 1, 'abcd'],
  [0, 3, 'bcda'],
])('from %i to %i: %s', (from, to, order) => {
  expect(moved([...'abcd'], from, to).join('')).toBe(order)
})

test('pages keep their length and everything else', () => {
  const item = (_id: string) => ({ _id })
  const pages = [
    { items: [item('a'), item('b')], nextCursor: '1' },
    { items: [item('c')], nextCursor: null },
  ]
  expect(repaged(pages, ['c', 'a', 'b'].map(item))).toEqual([
    { items: [item('c'), item('a')], nextCursor: '1' },
    { items: [item('b')], nextCursor: null },
  ])
})

test('a card that was dropped last stays there when more is loaded, and the list that it came from is as it was', () => {
  const loaded = [...'abcd'].map((_id) => ({ _id }))
  expect(
    arranged(loaded, [...'bca'])
      .map(({ _id }) => _id)
      .join(''),
  ).toBe('bcad')
  expect(
    arranged(loaded, [...'bcax'])
      .map(({ _id }) => _id)
      .join(''),
  ).toBe('bcad')
  expect(loaded.map(({ _id }) => _id).join('')).toBe('abcd')
})
