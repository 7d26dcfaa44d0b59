import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PostRequirements } from '../../../../contract/forum.ts'
import { type PostFacts, suggestTitle, verdictsOf } from './rules.ts'

const FREE: PostRequirements = {
  is_flair_required: false,
  title_blacklisted_strings: [],
  body_blacklisted_strings: [],
  title_required_strings: [],
  body_required_strings: [],
  title_regexes: [],
  title_text_min_length: null,
  title_text_max_length: null,
  body_restriction_policy: 'none',
  domain_blacklist: [],
  domain_whitelist: [],
  link_restriction_policy: 'none',
  link_repost_age: null,
  guidelines_text: null,
}
const FACTS: PostFacts = {
  subreddit: 'GardenPortraits',
  media: 'promotes',
  submissionType: 'any',
  state: 'read',
  verificationType: 'other',
  isVerified: false,
  closed: null,
  requirements: FREE,
  flair: [{ id: 'spring', text: 'Spring', editable: false }],
  limits: [],
}
const POST = { title: 'A quiet lake', url: 'https://www.redgifs.com/watch/lake', flairId: null, at: null }
type Post = Parameters<typeof verdictsOf>[0]

const rulesOf = (
  post: Partial<Post>,
  facts: Partial<PostFacts>,
  requirements: Partial<PostRequirements> = {},
) =>
  verdictsOf({ ...POST, ...post }, { ...FACTS, requirements: { ...FREE, ...requirements }, ...facts }).map(
    ({ rule }) => rule,
  )

describe('verdicts', () => {
  test('say nothing where nothing is broken, or nothing is known', () => {
    expect(rulesOf({}, {})).toEqual([])
    expect(rulesOf({ flairId: 'spring' }, {})).toEqual([])
    expect(rulesOf({ flairId: 'any' }, { state: 'unread', requirements: null, flair: null })).toEqual([])
    expect(rulesOf({}, { verificationType: 'required', isVerified: true })).toEqual([])
  })

  test.each(['gone', 'banned', 'quarantined'] as const)('refuse a subreddit that is %s', (state) => {
    expect(rulesOf({}, { state })).toEqual(['subreddit'])
  })

  test('leave a private subreddit to its members', () => {
    expect(rulesOf({}, { state: 'private' })).toEqual(['verification'])
    expect(rulesOf({}, { state: 'private', verificationType: 'required' })).toEqual(['verification'])
    expect(rulesOf({}, { state: 'private', isVerified: true })).toEqual([])
  })

  test.each(['deleted', 'quarantined', 'private'] as const)('refuse an item that is %s', (media) => {
    expect(rulesOf({}, { media })).toEqual(['media'])
  })

  test.each([
    ['self', ['kinds']],
    ['link', []],
    ['any', []],
    [null, []],
  ] as const)('take links where the forum says %s as it says', (submissionType, broken) => {
    expect(rulesOf({}, { submissionType })).toEqual(broken)
  })

  test('tell everything that is broken, the most important first', () => {
    const at = new Date('2027-05-04T12:00:00Z')
    const full = (rule: 'frequency' | 'repost' | 'same-media') => ({
      rule,
      max: 1,
      windowMs: 86_400_000,
      times: [at],
    })
    const facts: Partial<PostFacts> = {
      state: 'quarantined',
      closed: { message: 'Only people the moderators trust may post here.' },
      verificationType: 'required',
      limits: [full('frequency'), full('repost'), full('same-media')],
    }
    const requirements: Partial<PostRequirements> = {
      is_flair_required: true,
      title_text_min_length: 20,
      title_text_max_length: 5,
      title_blacklisted_strings: ['', 'QUIET'],
      title_required_strings: ['[OC]'],
      link_restriction_policy: 'whitelist',
    }
    expect(rulesOf({ at }, facts, requirements)).toEqual([
      'subreddit',
      'closed',
      'verification',
      'title-short',
      'title-long',
      'title-forbidden',
      'title-required',
      'flair',
      'link',
      'frequency',
      'repost',
      'same-media',
    ])
    // How often one may post is told of a time alone.
    expect(rulesOf({}, { limits: facts.limits ?? [] })).toEqual([])
  })

  test.each([
    ['a flair that isn’t offered anymore', { flairId: 'autumn' }, {}, ['flair']],
    ['a required flair that is offered', { flairId: 'spring' }, { is_flair_required: true }, []],
    [
      'one of the required words in other letters',
      { title: 'lake [oc]' },
      { title_required_strings: ['[X]', '[OC]'] },
      [],
    ],
    ['a title of just the least length', {}, { title_text_min_length: 12 }, []],
    ['a title one letter too short', {}, { title_text_min_length: 13 }, ['title-short']],
    ['a title of just the most length', {}, { title_text_max_length: 12 }, []],
    ['a title one letter too long', {}, { title_text_max_length: 11 }, ['title-long']],
    [
      'a site on the list',
      {},
      { link_restriction_policy: 'whitelist', domain_whitelist: ['RedGifs.com'] },
      [],
    ],
    [
      'a site whose name only ends alike',
      { url: 'https://notredgifs.com/x' },
      { link_restriction_policy: 'whitelist', domain_whitelist: ['redgifs.com'] },
      ['link'],
    ],
    [
      'a site that is kept out',
      {},
      { link_restriction_policy: 'blacklist', domain_blacklist: ['redgifs.com'] },
      ['link'],
    ],
    ['a list that isn’t in force', {}, { domain_blacklist: ['redgifs.com'] }, []],
  ] as const)('judge %s', (_, post, requirements, expected) => {
    expect(rulesOf(post, {}, requirements as Partial<PostRequirements>)).toEqual(expected)
  })
})

describe('a suggested title', () => {
  const suggest = (title: string, requirements: Partial<PostRequirements>) =>
    suggestTitle(title, { ...FREE, ...requirements })

  test.each([
    ['adds what is required', 'A quiet lake', { title_required_strings: ['[OC]'] }, 'A quiet lake [OC]'],
    [
      'leaves out what is forbidden',
      'A  Free Trial lake',
      { title_blacklisted_strings: ['free trial'] },
      'A lake',
    ],
    ['leaves out what its gap closes to', 'frfreeee lake', { title_blacklisted_strings: ['free'] }, 'lake'],
    ['cuts at a word', 'A quiet lake in spring', { title_text_max_length: 15 }, 'A quiet lake'],
    [
      'keeps room for what is required',
      'A quiet lake',
      { title_required_strings: ['[OC]'], title_text_max_length: 14 },
      'A quiet [OC]',
    ],
    ['takes a person where a title is too short', 'Lake', { title_text_min_length: 10 }, null],
    [
      'takes a person where nothing is left',
      'free trial',
      { title_blacklisted_strings: ['free trial'] },
      null,
    ],
    [
      'takes a person where required is forbidden',
      'Lake',
      { title_required_strings: ['[OC]'], title_blacklisted_strings: ['oc'] },
      null,
    ],
    ['is none where the title is good', 'Lake', {}, null],
  ] as const)('%s', (_, title, requirements, expected) => {
    expect(suggest(title, requirements as Partial<PostRequirements>)).toBe(expected)
  })

  test('ends, whatever length letters have in small', () => {
    expect(suggest(`${'İ'.repeat(20)} free`, { title_blacklisted_strings: ['free'] })).toBe('İ'.repeat(20))
  })

  test('breaks no rule and no letter', () => {
    const word = fc.constantFrom('free', 'trial', 'lake', 'İ', 'ß', '😀', ' ', '[OC]', 'ee', 'fr', 'a.b', '.')
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
    const length = fc.option(fc.integer({ min: 0, max: 60 }))
    const one = fc.property(
      fc.record({
        title: text,
        forbidden: fc.array(word),
        required: fc.array(word),
        min: length,
        max: length,
      }),
      ({ title, forbidden, required, min, max }) => {
        const requirements = {
          ...FREE,
          title_blacklisted_strings: forbidden,
          title_required_strings: required,
          title_text_min_length: min,
          title_text_max_length: max,
        }
        const suggestion = suggestTitle(title, requirements)
        if (suggestion === null) return
        expect(verdictsOf({ ...POST, title: suggestion }, { ...FACTS, requirements })).toEqual([])
        expect(suggestion).not.toBe(title)
        expect(suggestion.length).toBeLessThanOrEqual(300)
        expect(suggestion.isWellFormed()).toBe(true)
      },
    )
    fc.assert(one, { numRuns: 2000 })
  })
})
