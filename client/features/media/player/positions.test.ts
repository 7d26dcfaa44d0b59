import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../lib/storage.ts'
import { positionOf, rememberPosition } from './positions.ts'

let values: Map<string, string>
let store: Store
beforeEach(() => {
  values = new Map()
  store = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
})

describe('the place in a video', () => {
  test('is found again, each video’s its own, the newest one', () => {
    rememberPosition(store, 'a', 61.7, 300)
    rememberPosition(store, 'b', 20, 300)
    rememberPosition(store, 'a', 90, 300)
    expect([positionOf(store, 'a'), positionOf(store, 'b'), positionOf(store, 'c')]).toEqual([90, 20, 0])
  })

  test('is forgotten at the end, and by who goes back to the beginning; nothing is left behind', () => {
    for (const at of [299, 296, 2]) {
      rememberPosition(store, 'a', 100, 300)
      rememberPosition(store, 'a', at, 300)
      expect(positionOf(store, 'a')).toBe(0)
      expect(values.size).toBe(0)
    }
  })

  test('is kept for the fifty videos watched last', () => {
    for (let n = 0; n < 60; n++) rememberPosition(store, `video-${n}`, 30, 300)
    expect(positionOf(store, 'video-9')).toBe(0)
    expect(positionOf(store, 'video-10')).toBe(30)
    rememberPosition(store, 'video-10', 40, 300)
    rememberPosition(store, 'new', 30, 300)
    expect(positionOf(store, 'video-10')).toBe(40)
    expect(positionOf(store, 'video-11')).toBe(0)
  })

  test.each(['{', '{}', 'null', '[1,["a"],["b","x"],null]'])('is 0 where the store holds %s', (text) => {
    values.set('videoPositions', text)
    expect(positionOf(store, 'a')).toBe(0)
    rememberPosition(store, 'a', 30, 300)
    expect(positionOf(store, 'a')).toBe(30)
  })
})
