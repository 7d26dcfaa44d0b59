import { expect, test } from 'vitest'
import { contentsOf, withItems } from './contents.ts'

test.each([
  [{ photoCount: 0, videoCount: 0, videoSeconds: 0 }, 'Nothing inside yet'],
  [{ photoCount: 1, videoCount: 0, videoSeconds: 0 }, '1 photo'],
  [{ photoCount: 1200, videoCount: 1, videoSeconds: 65 }, '1,200 photos, 1 video (1m 5s)'],
  [{ photoCount: 0, videoCount: 2, videoSeconds: 0 }, '2 videos'],
])('%j in words', (contents, words) => {
  expect(contentsOf(contents)).toBe(words)
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
