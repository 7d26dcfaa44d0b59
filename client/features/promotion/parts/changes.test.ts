import { expect, test } from 'vitest'
import type { PostRequirements } from '../../../../contract/forum.ts'
import { linesOf } from './changes.ts'

const wants: PostRequirements = {
  is_flair_required: false,
  title_blacklisted_strings: [],
  body_blacklisted_strings: [],
  title_required_strings: ['[OC]'],
  body_required_strings: [],
  title_regexes: [],
  title_text_min_length: 10,
  title_text_max_length: null,
  body_restriction_policy: 'none',
  domain_blacklist: [],
  domain_whitelist: [],
  link_restriction_policy: 'none',
  link_repost_age: null,
  guidelines_text: null,
}

test('of requirements what is other than before is said, and nothing else', () => {
  const after = { ...wants, is_flair_required: true, title_text_min_length: 15 }
  expect(linesOf({ part: 'requirements', before: wants, after })).toEqual({
    before: ['Titles must have at least 10 characters.'],
    after: ['Flair is required.', 'Titles must have at least 15 characters.'],
  })
})

test('a rule is said with its text, flair by what it says, access in a sentence', () => {
  const [before, after] = [[{ name: 'Titles', description: 'Short.' }], [{ name: 'Titles', description: '' }]]
  expect(linesOf({ part: 'rules', before, after })).toEqual({ before: ['Titles: Short.'], after: ['Titles'] })
  const flair = [{ id: 'a', text: 'Teapot', editable: true }]
  expect(linesOf({ part: 'flair', before: [], after: flair }).after).toEqual(['Teapot (custom text allowed)'])
  expect(linesOf({ part: 'access', before: { state: 'read' }, after: { state: 'private' } })).toEqual({
    before: ['Anyone can see it.'],
    after: ['This subreddit is private.'],
  })
})

test('what stands in another order alone has no lines', () => {
  expect(linesOf({ part: 'rules', before: [], after: [] })).toEqual({ before: [], after: [] })
})
