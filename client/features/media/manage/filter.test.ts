import { describe, expect, test } from 'vitest'
import { addressOf, filterOf, type LibraryFilter, MAX_FILTER_TAGS, MAX_SEARCH } from './filter.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const nothing: LibraryFilter = { search: '', tagIds: [], type: null, visibility: null }

describe('the filter in the address', () => {
  test.each<LibraryFilter>([
    nothing,
    { ...nothing, search: 'a & b = c' },
    { ...nothing, tagIds: [id(1), id(2)] },
    { search: 'sun', tagIds: [id(3)], type: 'embed', visibility: 'promotion' },
  ])('%j comes back from the address that it makes', (filter) => {
    expect(filterOf(new URLSearchParams(addressOf(filter).toString()))).toEqual(filter)
  })

  test('nothing narrowed leaves the address bare', () => {
    expect(addressOf(nothing).size).toBe(0)
  })

  test('what the server would refuse counts as absent', () => {
    const address = new URLSearchParams({ search: `a\u0000b${'x'.repeat(200)}`, type: 'gif', visibility: '' })
    for (let number = 0; number < 30; number++) address.append('tagIds', id(number))
    address.append('tagIds', 'no id')
    const filter = filterOf(address)
    expect(filter.search).toHaveLength(MAX_SEARCH)
    expect(filter.search.startsWith('a bx')).toBe(true)
    expect(filter.tagIds).toEqual(Array.from({ length: MAX_FILTER_TAGS }, (_, number) => id(number)))
    expect(filter).toMatchObject({ type: null, visibility: null })
  })
})
