import { describe, expect, test } from 'vitest'
import { alreadyHave } from './already-have.ts'

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
