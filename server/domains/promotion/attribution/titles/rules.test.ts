import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PostFigures } from '../rules.ts'
import { compareTitles, distanceOf } from './rules.ts'

let made = 0
const post = (title: string, visits: number, changes: Partial<PostFigures> = {}): PostFigures => ({
  id: `${made++}`,
  subreddit: 'CozyKnits',
  title,
  score: null,
  flair: null,
  hour: 8,
  weekday: 1,
  posts: 1,
  removed: 0,
  visits,
  signUps: 0,
  follows: 0,
  trials: 0,
  redemptions: 0,
  sales: 0,
  salesCents: 0,
  renewals: 0,
  renewalsCents: 0,
  ...changes,
})
const each = (title: string, visits: number[]) => visits.map((count) => post(title, count))

describe('titles of a post', () => {
  test('are said to differ where they do, the better first', () => {
    const { titles, verdict } = compareTitles([
      ...each('The lake', [1, 2, 1, 3, 2]),
      ...each('Five in the morning', [9, 11, 8, 12, 10]),
    ])
    expect(verdict).toBe('“Five in the morning” leads with 10.0 visits a post, against 1.8 for the next.')
    expect(titles.map(({ title, posts, visits }) => [title, posts, visits])).toEqual([
      ['Five in the morning', 5, 50],
      ['The lake', 5, 9],
    ])
  })

  test.each([
    ['nothing was posted', [], /^Too early/],
    ['one has few posts', [...each('A', [9, 9, 9, 9, 9]), ...each('B', [0, 0])], /^Too early/],
    ['only one was used', each('A', [9, 9, 9, 9, 9, 9]), /^Too early/],
    ['one lucky post is all', [...each('A', [900, 1, 2, 1, 2]), ...each('B', [1, 2, 2, 1, 3])], /^No clear/],
    ['both did the same', [...each('A', [2, 2, 2, 2, 2]), ...each('B', [2, 2, 2, 2, 2])], /^No clear/],
  ])('aren’t where %s', (_name, posts, verdict) => {
    expect(compareTitles(posts).verdict).toMatch(verdict)
  })

  test('go by their scores where nobody came by a link; the middle one stands for them', () => {
    const scored = (title: string, scores: (number | null)[]) =>
      scores.map((score) => post(title, 0, { score }))
    const { titles, verdict } = compareTitles([
      ...scored('A', [50, 60, 70, 80, 900]),
      ...scored('B', [1, 2, 3, 4, null]),
    ])
    expect(verdict).toContain('“A” leads with 232.0 points')
    expect(titles.map(({ score }) => score)).toEqual([70, 2.5])
  })

  test('are as far apart whichever is named first, and not at all from themselves', () => {
    const Sample = fc.array(fc.nat(50), { minLength: 5, maxLength: 20 })
    fc.assert(
      fc.property(Sample, Sample, (one, other) => {
        expect(distanceOf(one, other)).toBeCloseTo(distanceOf(other, one))
        expect(distanceOf(one, one)).toBeCloseTo(0)
        expect(Number.isFinite(distanceOf(one, other))).toBe(true)
      }),
    )
  })
})
