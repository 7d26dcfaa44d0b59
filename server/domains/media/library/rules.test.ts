import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLeft, restorableAfter, tagsAfter, wordPatterns } from './rules.ts'

describe('wordPatterns', () => {
  it.each([
    ['', []],
    ['  beach\tday ', ['%beach%', '%day%']],
    ['day day', ['%day%']],
    ['a b c d e f g', ['%a%', '%b%', '%c%', '%d%', '%e%', '%f%']],
    ['100%_\\', ['%100\\%\\_\\\\%']],
  ])('of %j are %j', (search, patterns) => {
    expect(wordPatterns(search)).toEqual(patterns)
  })

  it('hold no wildcard but their own two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (search) => {
        for (const pattern of wordPatterns(search))
          expect(pattern.slice(1, -1).replace(/\\[\\%_]/g, '')).not.toMatch(/[\\%_]/)
      }),
    )
  })
})

describe('tagsAfter', () => {
  it.each([
    [['a', 'b'], { add: ['c'], remove: ['a'] }, ['b', 'c']],
    [['a', 'b'], { add: ['b', 'b'], remove: [] }, ['a', 'b']],
    [['a'], { add: ['a'], remove: ['a', 'x'] }, ['a']],
    [[], { add: [], remove: ['a'] }, []],
  ])('of %j with %j are %j', (before, change, after) => {
    expect(tagsAfter(before, change)).toEqual(after)
  })
})

it('what is deleted can come back for 30 days', () => {
  expect(restorableAfter(new Date('2026-03-31T12:00:00Z'))).toEqual(new Date('2026-03-01T12:00:00Z'))
})

it.each([
  ['2026-03-01T12:00:00.000Z', 30],
  ['2026-03-01T12:00:00.001Z', 30],
  ['2026-03-02T12:00:00.000Z', 29],
  ['2026-03-31T11:59:59.999Z', 1],
])('at %s %d days are left of what was deleted on 1 March at noon', (now, days) => {
  expect(daysLeft(new Date('2026-03-01T12:00:00Z'), new Date(now))).toBe(days)
})
