import { expect, test } from 'vitest'
import { scrollKey, scrollStorage } from './scroll.ts'

test('two pages opened by address do not share a position', () => {
  const at = (pathname: string) => scrollKey({ key: 'default', pathname, search: '' })
  expect(at('/terms')).not.toBe(at('/users/mara'))
  expect(scrollKey({ key: 'abc', pathname: '/terms', search: '' })).toBe('abc')
})

test('an address that is opened starts at its top; a reload and going back do not', () => {
  const kept = new Map([['scroll-positions', '{"/terms":900,"/users/mara":300}']])
  const place = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  scrollStorage('reload', () => place, '/terms')
  scrollStorage('back_forward', () => place, '/terms')
  expect(kept.get('scroll-positions')).toContain('"/terms":900')
  scrollStorage('navigate', () => place, '/terms')
  expect(JSON.parse(kept.get('scroll-positions') ?? '')).toEqual({ '/users/mara': 300 })
})

test('a browser that refuses to keep anything still shows its pages', () => {
  const refused = () => {
    throw new DOMException('refused', 'SecurityError')
  }
  expect(scrollStorage('navigate', refused, '/terms')).toBe('scroll-positions')
})
