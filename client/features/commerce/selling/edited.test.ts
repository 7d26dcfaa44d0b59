import { expect, test } from 'vitest'
import { changeOf, type Edited, same } from './edited.ts'

const saved: Edited = {
  title: 'Patrons',
  description: '',
  coverMediaId: null,
  price: '$10',
  chatEnabled: false,
  lessOwned: false,
  includes: 'chosen',
  askSubscribers: false,
  terms: [{ months: 3, discountPercent: 10 }],
  mediaIds: ['sea', 'sun'],
  excludedMediaIds: [],
}

test('only what was changed is sent, so that what was saved elsewhere meanwhile stays', () => {
  expect(changeOf(saved, saved)).toEqual({})
  expect(changeOf({ ...saved, title: 'Friends' }, saved)).toEqual({ title: 'Friends' })
  expect(changeOf({ ...saved, price: '$12', askSubscribers: true, terms: [] }, saved)).toEqual({
    price: '$12',
    askSubscribers: true,
    terms: [],
  })
  expect(changeOf({ ...saved, coverMediaId: 'sea' }, saved)).toEqual({ coverMediaId: 'sea' })
})

test('items come with the kind of contents that they are of, and another kind with its items', () => {
  const turned = { ...saved, mediaIds: ['sun', 'sea'] }
  expect(changeOf(turned, saved)).toEqual({ includes: 'chosen', mediaIds: ['sun', 'sea'] })
  const all: Edited = { ...saved, includes: 'allLocked' }
  expect(changeOf(all, saved)).toEqual({ includes: 'allLocked', excludedMediaIds: [] })
  expect(changeOf(saved, all)).toEqual({ includes: 'chosen', mediaIds: ['sea', 'sun'] })
})

test('the order of what is chosen counts, that of what is left out doesn’t', () => {
  expect(same({ ...saved, mediaIds: ['sun', 'sea'] }, saved)).toBe(false)
  const all: Edited = { ...saved, includes: 'allLocked', excludedMediaIds: ['a', 'b'] }
  expect(same({ ...all, excludedMediaIds: ['b', 'a'] }, all)).toBe(true)
  expect(changeOf({ ...all, excludedMediaIds: ['b', 'a'] }, all)).toEqual({})
})
