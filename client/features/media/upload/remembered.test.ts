import { expect, test } from 'vitest'
import type { Store } from '../../../lib/storage.ts'
import { forget, recall, remember, rememberedBy } from './remembered.ts'

function emptyStore(initial: Record<string, string> = {}): Store {
  const values = new Map(Object.entries(initial))
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}

const video = { name: 'video.mp4', size: 5000, lastModified: 7 }

test('exactly the same file of the same person is recalled', () => {
  const store = emptyStore()
  remember('ada', 'u1', video, store)
  expect(recall('ada', { ...video }, store)).toBe('u1')
  for (const other of [{ name: 'other.mp4' }, { size: 5001 }, { lastModified: 8 }])
    expect(recall('ada', { ...video, ...other }, store)).toBeNull()
  expect(recall('bea', video, store)).toBeNull()
})

test('a file that was started again has its newest upload, and one that arrived has none', () => {
  const store = emptyStore()
  remember('ada', 'u1', video, store)
  remember('ada', 'u2', { ...video, name: 'b.mp4' }, store)
  remember('ada', 'u3', video, store)
  expect(rememberedBy('ada', store).map(({ uploadId }) => uploadId)).toEqual(['u2', 'u3'])
  forget('ada', 'u3', store)
  expect(recall('ada', video, store)).toBeNull()
  forget('ada', 'u2', store)
  expect(store.getItem('uploads.ada')).toBeNull()
})

test('what is no memory of ours is none', () => {
  for (const text of ['not JSON', '5', '{}', '[null, 5, {"uploadId": "u1"}]'])
    expect(rememberedBy('ada', emptyStore({ 'uploads.ada': text }))).toEqual([])
})

test('the oldest of very many are forgotten', () => {
  const store = emptyStore()
  for (let index = 0; index < 120; index++)
    remember('ada', `u${index}`, { ...video, name: `${index}.mp4` }, store)
  expect(rememberedBy('ada', store)).toHaveLength(100)
  expect(recall('ada', { ...video, name: '19.mp4' }, store)).toBeNull()
  expect(recall('ada', { ...video, name: '20.mp4' }, store)).toBe('u20')
})
