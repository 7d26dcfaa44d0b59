import { beforeEach, describe, expect, it } from 'vitest'
import { afterAgeCheck, afterLogin, safePath } from './redirect.ts'
import type { Store } from './storage.ts'

let place: Store
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  place = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
})

describe('safePath', () => {
  it.each(['/', '/dashboard', '/users/ana/offers/1?x=https://elsewhere.example', '/dashboard/chat/1#newest'])(
    'takes %s, which is of this site',
    (path) => {
      expect(safePath(path)).toBe(path)
    },
  )

  it.each([
    null,
    '',
    'dashboard',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/path\\..\\..',
    '/\t/elsewhere.example',
    '/\n//elsewhere.example',
    'https://elsewhere.example/dashboard',
    'javascript:alert(1)',
    `/${'a'.repeat(2001)}`,
  ])('refuses %j', (path) => {
    expect(safePath(path)).toBeNull()
  })
})

describe('the saved path', () => {
  it('is given back until it is cleared', () => {
    afterLogin.save('/dashboard/earnings', place)
    expect(afterLogin.saved(place)).toBe('/dashboard/earnings')
    expect(afterAgeCheck.saved(place)).toBeNull()
    afterLogin.clear(place)
    expect(afterLogin.saved(place)).toBeNull()
  })

  it('is never one of another site', () => {
    afterLogin.save('//elsewhere.example', place)
    expect(kept.size).toBe(0)
    afterLogin.save('/dashboard', place)
    for (const key of kept.keys()) kept.set(key, '//elsewhere.example')
    expect(afterLogin.saved(place)).toBeNull()
  })
})
