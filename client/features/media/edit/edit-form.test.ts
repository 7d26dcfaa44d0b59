import { describe, expect, test } from 'vitest'
import { NEW_UPLOAD_FLAGS } from '../../../../contract/visibility.ts'
import type { Media } from '../api.ts'
import { changeOf, type Draft, draftAfter, draftErrors, draftOf, isChanged } from './edit-form.ts'

const me = '019ab000-0000-7000-8000-000000000001'
const friend = '019ab000-0000-7000-8000-000000000002'
const tag = '019ab000-0000-7000-8000-000000000003'

const media: Media = {
  _id: '019ab000-0000-7000-8000-000000000004',
  creatorId: me,
  username: 'ada',
  type: 'image',
  url: null,
  poster: null,
  stream: null,
  widths: [],
  redGif: '',
  title: 'Morning',
  description: 'Light',
  price: '$4',
  duration: null,
  width: 3,
  height: 4,
  preview: '',
  locked: false,
  owned: true,
  tagIds: [tag],
  performerIds: [],
  ...NEW_UPLOAD_FLAGS,
  createdAt: '2026-11-21T10:00:00.000Z',
}

const draft = draftOf(media)

test('an item that names nobody depicts its creator', () => {
  expect(draft.performerIds).toEqual([me])
  expect(draftOf({ ...media, performerIds: [friend] }).performerIds).toEqual([friend])
})

describe('what is wrong with it', () => {
  const picture = { embed: false }
  const gif = { embed: true }
  test.each([
    [{}, picture, {}],
    [{ title: '  ' }, picture, { title: 'Must include title' }],
    [{ title: '', redGif: 'someGif' }, gif, {}],
    [
      { redGif: 'https://example.test/a' },
      gif,
      { redGif: 'This isn’t a RedGifs link or ID. Paste the link to the gif’s page.' },
    ],
  ] satisfies [Partial<Draft>, Parameters<typeof draftErrors>[1], object][])(
    '%j of %j',
    (part, fields, found) => {
      expect(draftErrors({ ...draft, ...part }, fields)).toEqual(found)
    },
  )
})

describe('whether leaving would lose something', () => {
  test.each([
    [{}, false],
    [{ title: 'Evening' }, true],
    [{ description: '' }, true],
    [{ price: '$4.00' }, false],
    [{ price: '$5' }, true],
    [{ tagIds: [] }, true],
    [{ performerIds: [friend, me] }, true],
    [{ flags: { ...NEW_UPLOAD_FLAGS, showInSearch: true } }, true],
  ] satisfies [Partial<Draft>, boolean][])('%j: %s', (part, changed) => {
    expect(isChanged({ ...draft, ...part }, draft)).toBe(changed)
  })

  test('the order of tags and people is nothing that changed', () => {
    const saved = { ...draft, tagIds: [tag, friend], performerIds: [me, friend] }
    expect(isChanged({ ...saved, tagIds: [friend, tag], performerIds: [friend, me] }, saved)).toBe(false)
  })
})

describe('what is sent', () => {
  const creator = { embed: false, sells: true, own: true }
  const changed: Draft = {
    title: 'Evening',
    description: '',
    redGif: 'a',
    price: '$5',
    tagIds: [],
    performerIds: [me, friend],
    flags: {
      showInSearch: true,
      redditPromotion: false,
      mustUnlock: true,
      showInStore: true,
      directOnly: false,
    },
  }

  test('by a creator: everything that was changed, but the link that only an external gif has', () => {
    const { redGif, flags, ...words } = changed
    const sent = { ...words, showInSearch: true, showInStore: true }
    expect(changeOf(changed, draft, creator)).toEqual(sent)
    expect(changeOf(changed, draft, { ...creator, embed: true })).toEqual({ ...sent, redGif })
  })

  test('by somebody who sells nothing: words and tags', () => {
    expect(changeOf(changed, draft, { embed: false, sells: false, own: true })).toEqual({
      title: 'Evening',
      description: '',
      tagIds: [],
    })
  })

  test('by the operator: not who is depicted', () => {
    expect(changeOf(changed, draft, { ...creator, own: false })).not.toHaveProperty('performerIds')
  })

  test.each([
    [{}, {}],
    [{ title: 'Evening' }, { title: 'Evening' }],
    [{ price: '$4.00' }, {}],
    [{ price: '$4.01' }, { price: '$4.01' }],
    [{ performerIds: [friend] }, { performerIds: [friend] }],
    [{ flags: { ...NEW_UPLOAD_FLAGS, mustUnlock: false } }, { mustUnlock: false }],
    [
      { flags: { ...NEW_UPLOAD_FLAGS, mustUnlock: false, redditPromotion: true } },
      { mustUnlock: false, redditPromotion: true },
    ],
  ] satisfies [Partial<Draft>, object][])('%j: nothing but what differs', (part, sent) => {
    expect(changeOf({ ...draft, ...part }, draft, creator)).toEqual(sent)
  })
})

describe('once it was saved', () => {
  const sent: Draft = { ...draft, title: 'Evening ' }
  const elsewhere: Draft = {
    ...draft,
    title: 'Evening',
    price: '$9',
    flags: { ...NEW_UPLOAD_FLAGS, showInSearch: true },
  }

  test('the form shows what is kept, with what was changed elsewhere', () => {
    expect(draftAfter(sent, sent, elsewhere)).toEqual(elsewhere)
  })

  test('what was typed meanwhile stays, and saving it undoes nothing that was changed elsewhere', () => {
    const now = {
      ...sent,
      description: 'By the window',
      flags: { ...NEW_UPLOAD_FLAGS, mustUnlock: false, redditPromotion: true },
    }
    const after = draftAfter(now, sent, elsewhere)
    expect(after).toEqual({
      ...elsewhere,
      description: 'By the window',
      flags: { ...now.flags, showInSearch: true },
    })
    expect(changeOf(after, elsewhere, { embed: false, sells: true, own: true })).toEqual({
      description: 'By the window',
      mustUnlock: false,
      redditPromotion: true,
    })
  })
})
