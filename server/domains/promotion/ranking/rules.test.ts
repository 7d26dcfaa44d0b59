import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PostFigures } from '../attribution/rules.ts'
import { expectationsOf } from './rules.ts'

let made = 0
const post = (subreddit: string, salesCents: number, removed = 0): PostFigures => ({
  id: `${made++}`,
  subreddit,
  title: 'The lake at dawn',
  score: null,
  flair: null,
  hour: 8,
  weekday: 1,
  posts: 1,
  removed,
  visits: 0,
  signUps: 0,
  follows: 0,
  trials: 0,
  redemptions: 0,
  sales: 0,
  salesCents,
  renewals: 0,
  renewalsCents: 0,
})
const many = (count: number, subreddit: string, salesCents: number, removed = 0) =>
  Array.from({ length: count }, () => post(subreddit, salesCents, removed))
const centsIn = (posts: PostFigures[], name: string) =>
  expectationsOf(posts).subreddits.find((one) => one.name === name)?.cents ?? Number.NaN

describe('what a post is expected to earn', () => {
  test('is nothing where nothing was earned or nothing was posted', () => {
    expect(expectationsOf([])).toEqual({ cents: 0, subreddits: [] })
    expect(expectationsOf(many(3, 'CozyKnits', 0))).toEqual({
      cents: 0,
      subreddits: [{ name: 'CozyKnits', cents: 0, posts: 3 }],
    })
  })

  test('takes one lucky post for less than many good ones', () => {
    const posts = [
      ...many(1, 'LuckyLoom', 900),
      ...many(20, 'SteadyStitch', 500),
      ...many(20, 'QuietYarn', 0),
    ]
    const [lucky, steady, quiet] = ['LuckyLoom', 'SteadyStitch', 'QuietYarn'].map((name) =>
      centsIn(posts, name),
    )
    expect(steady).toBeGreaterThan(lucky ?? 0)
    expect(lucky).toBeGreaterThan(expectationsOf(posts).cents)
    expect(quiet).toBeLessThan(expectationsOf(posts).cents)
  })

  test('is less where posts are removed', () => {
    const posts = [
      ...many(6, 'KindKilns', 300),
      ...many(3, 'StrictStone', 300),
      ...many(3, 'StrictStone', 300, 1),
    ]
    expect(centsIn(posts, 'StrictStone')).toBeLessThan(centsIn(posts, 'KindKilns'))
  })

  test('lies between nothing and what the best post earned, and grows with what is earned there', () => {
    const Post = fc
      .record({ name: fc.constantFrom('A', 'B', 'C'), cents: fc.nat(100_000), removed: fc.nat(1) })
      .map(({ name, cents, removed }) => post(name, cents, removed))
    fc.assert(
      fc.property(fc.array(Post, { minLength: 1, maxLength: 40 }), fc.nat(100_000), (posts, more) => {
        const { cents, subreddits } = expectationsOf(posts)
        const best = Math.max(...posts.map(({ salesCents }) => salesCents))
        for (const one of [cents, ...subreddits.map((each) => each.cents)]) {
          expect(one).toBeGreaterThanOrEqual(0)
          expect(one).toBeLessThanOrEqual(best)
        }
        const [first, ...rest] = posts as [PostFigures, ...PostFigures[]]
        const better = [{ ...first, salesCents: first.salesCents + more }, ...rest]
        expect(centsIn(better, first.subreddit)).toBeGreaterThanOrEqual(centsIn(posts, first.subreddit))
      }),
    )
  })
})
