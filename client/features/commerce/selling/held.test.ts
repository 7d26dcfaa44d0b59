import { expect, test } from 'vitest'
import { withItems } from './held.ts'

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
