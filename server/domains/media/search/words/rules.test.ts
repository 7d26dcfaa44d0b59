import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, meant, slipsAllowed } from './rules.ts'

describe('the distance of two words', () => {
  it.each([
    ['beach', 'beach', 0],
    ['baech', 'beach', 1],
    ['bech', 'beach', 1],
    ['beeach', 'beach', 1],
    ['beech', 'beach', 1],
    ['phtograhpy', 'photography', 2],
    ['', 'abc', 3],
    ['été', 'ete', 2],
  ])('%s to %s is %i', (one, other, slips) => {
    expect(distance(one, other)).toBe(slips)
  })

  it('is the same both ways, and nothing only for the same word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        expect(distance(one, other)).toBe(distance(other, one))
        expect(distance(one, other) === 0).toBe(one === other)
      }),
    )
  })
})

it('short words and numbers are taken as typed', () => {
  expect(['cat', '2024', 'yoga', 'portrait'].map(slipsAllowed)).toEqual([0, 0, 1, 2])
})

it('the nearest word was meant, of two equally near ones the most used', () => {
  const known = [
    { word: 'beach', uses: 5 },
    { word: 'bench', uses: 9 },
    { word: 'bleaching', uses: 99 },
  ]
  expect(meant('baech', known)?.word).toBe('beach')
  expect(meant('beach', known)?.word).toBe('beach')
  expect(meant('bexch', known)?.word).toBe('bench')
  expect(meant('sunset', known)).toBeNull()
})
