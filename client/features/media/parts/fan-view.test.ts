import { expect, test } from 'vitest'
import type { FeedMedia } from '../api.ts'
import { fanSees } from './fan-view.ts'

const own = {
  _id: 'a',
  mustUnlock: true,
  locked: false,
  owned: true,
  url: '/a',
  poster: 'p.webp',
  widths: [320],
} as unknown as FeedMedia

test('what has to be unlocked is locked for a fan, and its picture is not there', () => {
  expect(fanSees(own)).toMatchObject({ locked: true, owned: false, url: null, poster: null, widths: [] })
  expect(fanSees({ ...own, mustUnlock: false })).toMatchObject({ locked: false, url: '/a' })
  expect(fanSees({ ...own, unpublished: true })).toBeNull()
})
