import { expect, test } from 'vitest'
import type { Media } from '../api.ts'
import { fanSees } from './fan-view.ts'

const own = {
  _id: 'a',
  mustUnlock: true,
  locked: false,
  owned: true,
  url: '/a',
  poster: '/p',
  sources: [{ url: '/a', width: 1 }],
} as unknown as Media

test('what has to be unlocked is locked for a fan, and its picture is not there', () => {
  expect(fanSees(own)).toMatchObject({ locked: true, owned: false, url: null, poster: null, sources: [] })
  expect(fanSees({ ...own, mustUnlock: false })).toMatchObject({ locked: false, url: '/a' })
})
