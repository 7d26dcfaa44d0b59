import { expect, test } from 'vitest'
import { turnedBy, withItems } from './choosing.ts'

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

const photo = { type: 'image', duration: null } as const
const video = { type: 'video', duration: 90 } as const

test('items that come and go', () => {
  const before = { photoCount: 3, videoCount: 1, videoSeconds: 10 }
  const more = withItems(before, [photo, photo, video], 1)
  expect(more).toEqual({ photoCount: 5, videoCount: 2, videoSeconds: 100 })
  expect(withItems(more, [photo, photo, video], -1)).toEqual(before)
  const gif = { type: 'video', duration: null } as const
  expect(withItems(before, [gif], 1)).toEqual({ ...before, videoCount: 2 })
})
