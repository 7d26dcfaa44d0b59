import { describe, expect, test } from 'vitest'
import { alreadyHave, contentsOf } from './rules.ts'

describe('contentsOf', () => {
  test.each([
    [{ photoCount: 8, videoCount: 1, videoSeconds: 312 }, '8 photos, 1 video (5m 12s)'],
    [{ photoCount: 1, videoCount: 0, videoSeconds: 0 }, '1 photo'],
    [{ photoCount: 0, videoCount: 4, videoSeconds: 3723 }, '4 videos (62m 3s)'],
    [{ photoCount: 0, videoCount: 2 }, '2 videos'],
    [{ photoCount: 0, videoCount: 0, videoSeconds: 0 }, 'Nothing in it yet'],
  ])('%j: %s', (counts, words) => {
    expect(contentsOf(counts)).toBe(words)
  })
})

describe('alreadyHave', () => {
  test.each([
    [2, 9, 'already have 2/9'],
    [9, 9, 'already have 9/9'],
    [0, 9, null],
    [0, 0, null],
  ])('%i of %i: %s', (ownedCount, items, words) => {
    expect(alreadyHave({ ownedCount, mediaIds: Array.from({ length: items }, String) })).toBe(words)
  })
})
