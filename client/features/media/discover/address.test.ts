import { expect, test } from 'vitest'
import {
  filterAddress,
  filterInAddress,
  MAX_FILTER_TAGS,
  NO_FILTER,
  searchAddress,
  wordsInAddress,
} from './address.ts'

const id = (n: number) => `0190a0a0-0000-7000-8000-${String(n).padStart(12, '0')}`
const tagged = (tagIds: string[]) => ({ ...NO_FILTER, tagIds })

test('a filter comes back from the address in which it was put, each tag once', () => {
  const filter = { tagIds: [id(2), id(1)], sort: 'popular', type: 'video' } as const
  const address = filterAddress(filter)
  expect(address.toString()).toBe(`tagIds=${id(2)}&tagIds=${id(1)}&sort=popular&type=video`)
  expect(filterInAddress(address)).toEqual(filter)
  const twice = new URLSearchParams(`tagIds=${id(1)}&tagIds=${id(1)}`)
  expect(filterInAddress(twice)).toEqual(tagged([id(1)]))
  expect(filterAddress(NO_FILTER).toString()).toBe('')
  expect(filterInAddress(new URLSearchParams())).toEqual(NO_FILTER)
})

test('an address that somebody wrote by hand asks for nothing that the server would refuse', () => {
  expect(filterInAddress(new URLSearchParams("tagIds=x&tagIds=1' or 1=1&sort=cheap&type=embed"))).toEqual(
    NO_FILTER,
  )
  const many = Array.from({ length: MAX_FILTER_TAGS + 5 }, (_, n) => id(n))
  const address = new URLSearchParams(many.map((one) => ['tagIds', one]))
  expect(filterInAddress(address).tagIds).toHaveLength(MAX_FILTER_TAGS)
  expect(filterAddress(tagged(many)).size).toBe(MAX_FILTER_TAGS)
})

test('words come back trimmed; asking for a search without words is not the same as asking for none', () => {
  expect(wordsInAddress(searchAddress('silk & lace'))).toBe('silk & lace')
  expect(wordsInAddress(new URLSearchParams('q=%20'))).toBe('')
  expect(wordsInAddress(searchAddress(''))).toBeNull()
})
