import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { store } from './storage.ts'

let stored: Map<string, string>
let full: boolean

beforeEach(() => {
  stored = new Map()
  full = false
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('with a full storage what was set last is what is read, never what stood there before', () => {
  store.setItem('token', 'old')
  full = true
  store.setItem('token', 'new')
  expect(store.getItem('token')).toBe('new')
  store.removeItem('token')
  expect(store.getItem('token')).toBeNull()
})

test('once there is room again, storage and memory do not differ', () => {
  full = true
  store.setItem('token', 'kept')
  full = false
  store.setItem('token', 'stored')
  stored.set('token', 'from another tab')
  expect(store.getItem('token')).toBe('from another tab')
})
