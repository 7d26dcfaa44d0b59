import { expect, test } from 'vitest'
import { forgetWish, keepWish, keptWish } from './wish.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const wish = { label: 'Subscribe to Mara · $9.99/mo', path: '/users/mara', thing: { itemId: '1' } }

function place(content = new Map<string, string>()) {
  return {
    content,
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, value: string) => void content.set(key, value),
    removeItem: (key: string) => void content.delete(key),
  }
}

test('a wish is kept until it is forgotten, and the newest is the one that counts', () => {
  const here = place()
  expect(keptWish(NOON, here)).toBeNull()
  keepWish(wish, NOON, here)
  keepWish({ ...wish, path: '/users/ada' }, NOON, here)
  expect(keptWish(NOON, here)).toEqual({ ...wish, path: '/users/ada' })
  expect(keptWish(NOON, here)).toBe(keptWish(NOON, here))
  forgetWish(here)
  expect(keptWish(NOON, here)).toBeNull()
})

test('a wish of another day is none', () => {
  const here = place()
  keepWish(wish, NOON - 25 * 3600 * 1000, here)
  expect(keptWish(NOON, here)).toBeNull()
})

test.each([
  '{}',
  'null',
  'no json',
  JSON.stringify({ ...wish, at: NOON, path: 'https://elsewhere.test/' }),
  JSON.stringify({ ...wish, at: NOON, path: '//elsewhere.test/' }),
  JSON.stringify({ ...wish, at: NOON, label: 1 }),
])('%s is no wish, wherever it came from', (text) => {
  expect(keptWish(NOON, place(new Map([['wish', text]])))).toBeNull()
})
