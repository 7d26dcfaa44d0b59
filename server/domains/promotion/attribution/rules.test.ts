import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMoney } from '../../../../contract/money.ts'
import { POST_CODE } from '../../../../contract/post-code.ts'
import { digestOf } from './present.ts'
import {
  CODE_BYTES,
  codeOf,
  commentOf,
  type PostFigures,
  positionOf,
  rowsBehind,
  rowsOf,
  suggest,
  totalOf,
} from './rules.ts'

const post = (of: Partial<PostFigures> = {}): PostFigures => ({
  id: 'one',
  subreddit: 'GardenPortraits',
  title: 'A quiet lake',
  score: null,
  flair: null,
  hour: 20,
  weekday: 5,
  posts: 1,
  removed: 0,
  visits: 0,
  signUps: 0,
  follows: 0,
  trials: 0,
  redemptions: 0,
  sales: 0,
  salesCents: 0,
  renewals: 0,
  renewalsCents: 0,
  ...of,
})
const many = (count: number, of: Partial<PostFigures> = {}) => Array.from({ length: count }, () => post(of))

test('any bytes make a code that the contract takes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: CODE_BYTES, maxLength: CODE_BYTES }), (bytes) => {
      expect(codeOf(bytes)).toMatch(POST_CODE)
    }),
  )
})

test('the counted link stands wherever the comment names it, the site where a post has no code', () => {
  const item = { comment: '{link} or {link}, $& of it', code: 'abcdefgh' }
  const counted = 'https://site.test/go/abcdefgh'
  expect(commentOf(item, 'https://site.test')).toBe(`${counted} or ${counted}, $& of it`)
  expect(commentOf({ comment: 'See {link}', code: null }, 'https://site.test')).toBe('See https://site.test')
})

describe('rows', () => {
  test('hold every post once, whatever they stand for', () => {
    const posts = [
      post({ id: 'a', flair: 'Calm', salesCents: 500, sales: 1 }),
      post({ id: 'b', hour: 0, weekday: 0, renewalsCents: 700, renewals: 1 }),
      post({ id: 'c', subreddit: 'CozyKnits', title: 'Wool', visits: 3 }),
    ]
    const labels = (by: Parameters<typeof rowsOf>[1]) => rowsOf(posts, by).map(({ label }) => label)
    expect(labels('post')).toEqual([
      'A quiet lake (r/GardenPortraits)',
      'A quiet lake (r/GardenPortraits)',
      'Wool (r/CozyKnits)',
    ])
    expect(labels('subreddit')).toEqual(['r/GardenPortraits', 'r/CozyKnits'])
    expect(labels('title')).toEqual(['A quiet lake', 'Wool'])
    expect(labels('flair')).toEqual(['No flair', 'Calm'])
    expect(labels('hour')).toEqual(['12 AM', '8 PM'])
    expect(labels('weekday')).toEqual(['Sunday', 'Friday'])
    expect(totalOf(rowsOf(posts, 'hour'))).toEqual(totalOf(posts))
  })

  test('behind a row are those that follow it, also once a row was sold more of', () => {
    const figures = fc.record({
      title: fc.string({ maxLength: 300 }),
      salesCents: fc.nat(3),
      visits: fc.nat(3),
    })
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 30 }), (made) => {
        const rows = rowsOf(made.map(post), 'title')
        for (const [at, row] of rows.entries())
          expect(rowsBehind(rows, positionOf(row, digestOf), digestOf)).toEqual(rows.slice(at + 1))
      }),
    )
    const before = rowsOf(
      [post({ title: 'a', salesCents: 3 }), post({ title: 'b', salesCents: 2 }), post({ title: 'c' })],
      'title',
    )
    const [, second] = before
    const after = rowsOf(
      [post({ title: 'a', salesCents: 3 }), post({ title: 'b', salesCents: 9 }), post({ title: 'c' })],
      'title',
    )
    const behind = rowsBehind(after, positionOf(second as (typeof before)[number], digestOf), digestOf)
    expect(behind?.map(({ key }) => key)).toEqual(['c'])
    expect(rowsBehind(before, 'somewhere', digestOf)).toBeNull()
  })
})

describe('suggestions', () => {
  test('need ten posts, and two at an hour or in a place', () => {
    expect(suggest(many(9, { salesCents: 100 }), formatMoney)).toEqual({
      posts: 9,
      hours: [],
      subreddits: [],
    })
    const lucky = [...many(9), post({ hour: 3, subreddit: 'CozyKnits', salesCents: 9900, sales: 1 })]
    expect(suggest(lucky, formatMoney)).toEqual({ posts: 10, hours: [], subreddits: [] })
  })

  test('name what earned most a post, with the reason', () => {
    const posts = [
      ...many(4, { salesCents: 840, sales: 1 }),
      post({ salesCents: 840, renewalsCents: 0 }),
      ...many(20, { hour: 9, weekday: 1, subreddit: 'CozyKnits', salesCents: 220 }),
      ...many(5, { hour: 12, weekday: 3, subreddit: 'SlowBread', visits: 900 }),
    ]
    expect(suggest(posts, formatMoney)).toEqual({
      posts: 30,
      hours: [
        { weekday: 5, hour: 20, reason: '5 posts at 8 PM on Fridays brought $42 in sales.' },
        { weekday: 1, hour: 9, reason: '20 posts at 9 AM on Mondays brought $44 in sales.' },
      ],
      subreddits: [
        { subreddit: 'GardenPortraits', reason: '5 posts in r/GardenPortraits brought $42 in sales.' },
        { subreddit: 'CozyKnits', reason: '20 posts in r/CozyKnits brought $44 in sales.' },
      ],
    })
  })

  test('count what was removed against a subreddit, and go by visits where nothing was earned', () => {
    const posts = [
      ...many(6, { subreddit: 'SlowBread', visits: 12, removed: 1 }),
      ...many(6, { subreddit: 'CozyKnits', visits: 10 }),
    ]
    expect(suggest(posts, formatMoney).subreddits).toEqual([
      { subreddit: 'CozyKnits', reason: '6 posts in r/CozyKnits brought 60 visits.' },
      { subreddit: 'SlowBread', reason: '6 posts in r/SlowBread brought 72 visits; 6 were removed.' },
    ])
  })

  test('say that renewals are among what was earned', () => {
    const [first] = suggest(many(10, { renewalsCents: 100, renewals: 1 }), formatMoney).subreddits
    expect(first?.reason).toBe('10 posts in r/GardenPortraits brought $10 in sales and renewals.')
  })
})
