import { describe, expect, it } from 'vitest'
import { addressOf } from './address.ts'

describe('addressOf', () => {
  it('fills parameters and keeps them from being anything else', () => {
    expect(addressOf('/users/u/:username', { params: { username: 'ana/../admin?x' } })).toBe(
      '/api/users/u/ana%2F..%2Fadmin%3Fx',
    )
  })

  it('repeats the key of a list and leaves out what is absent', () => {
    expect(
      addressOf('/media/discover', { query: { tagIds: ['a', 'b'], cursor: undefined, limit: 15 } }),
    ).toBe('/api/media/discover?tagIds=a&tagIds=b&limit=15')
  })

  it('has no question mark without a query', () => {
    expect(addressOf('/auth/me', {})).toBe('/api/auth/me')
  })
})
