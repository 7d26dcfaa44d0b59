import { describe, expect, test } from 'vitest'
import { consistent, type Flags, NEW_UPLOAD_FLAGS, turn } from '../../../../contract/visibility.ts'
import { editTexts } from './texts.ts'
import { AUDIENCES, alsoTurned, audienceOf, audienceWith, badgeOf, flagsOf } from './words.ts'

const off: Flags = {
  showInSearch: false,
  redditPromotion: false,
  mustUnlock: false,
  showInStore: false,
  directOnly: false,
}

describe('who sees it, in words', () => {
  test.each([
    [{}, 'Anyone with the link.', 'Link only'],
    [{ showInSearch: true }, 'Everyone, and it appears in Discover.', 'Public'],
    [{ showInSearch: true, redditPromotion: true }, 'Everyone, and it appears in Discover.', 'Public'],
    [{ mustUnlock: true }, 'People who get it in a subscription or bundle.', 'Locked'],
    [
      { mustUnlock: true, showInStore: true },
      'People who buy it, on its own or in a subscription or bundle.',
      'In shop',
    ],
    [
      { mustUnlock: true, showInStore: true, showInSearch: true },
      'People who buy it, on its own or in a subscription or bundle. Everyone else sees a blurred preview.',
      'In shop',
    ],
    [{ directOnly: true }, 'Only you and people you send it to in a chat.', 'Private'],
  ] satisfies [Partial<Flags>, string, string][])('%j', (on, sentence, badge) => {
    expect(audienceOf({ ...off, ...on })).toBe(sentence)
    expect(badgeOf({ ...off, ...on })).toBe(badge)
  })
})

describe('what moved along', () => {
  test.each([
    [NEW_UPLOAD_FLAGS, 'redditPromotion', true, 'Also turned off: Must be unlocked.'],
    [off, 'showInStore', true, 'Also turned on: Must be unlocked.'],
    [
      { ...off, redditPromotion: true },
      'showInStore',
      true,
      'Also turned on: Must be unlocked. Also turned off: Forum promotion.',
    ],
    [{ ...off, mustUnlock: true, showInStore: true }, 'mustUnlock', false, 'Also turned off: Show in shop.'],
    [NEW_UPLOAD_FLAGS, 'showInSearch', true, null],
    [NEW_UPLOAD_FLAGS, 'mustUnlock', false, null],
  ] as const)('%j, %s to %s', (before, name, on, words) => {
    expect(alsoTurned(before, turn(before, name, on), name)).toBe(words)
  })
})

describe('the common ways to show an upload', () => {
  test.each(AUDIENCES.map(({ value }) => value))('%s stands together with itself', (audience) => {
    expect(consistent(flagsOf(audience))).toBe(true)
  })

  test.each(AUDIENCES.map(({ value }) => value))('%s is recognized again', (audience) => {
    expect(audienceWith(flagsOf(audience))).toBe(audience)
  })

  test('other flags are none of them', () => {
    expect(audienceWith({ ...NEW_UPLOAD_FLAGS, showInSearch: true })).toBeNull()
  })

  test('the first is how a new upload starts', () => {
    expect(flagsOf('locked')).toEqual(NEW_UPLOAD_FLAGS)
  })
})

test.each([
  [0, 'No one has bought it yet.'],
  [1, '1 person bought it. They keep the old file and can see the new one too.'],
  [1204, '1,204 people bought it. They keep the old file and can see the new one too.'],
])('another file, of which %i people have the old one', (count, words) => {
  expect(editTexts.buyers(count)).toBe(words)
})
