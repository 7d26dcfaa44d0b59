import { expect, test } from 'vitest'
import { MAX_FILTER_TAGS, searchAddress, tagFilterAddress, tagsInAddress, wordsInAddress } from './address.ts'

const id = (n: number) => `0190a0a0-0000-7000-8000-${String(n).padStart(12, '0')}`

test('tags come back from the address in which they were put, each once', () => {
  const address = tagFilterAddress([id(2), id(1)])
  expect(address.toString()).toBe(`tagIds=${id(2)}&tagIds=${id(1)}`)
  expect(tagsInAddress(address)).toEqual([id(2), id(1)])
  expect(tagsInAddress(new URLSearchParams(`tagIds=${id(1)}&tagIds=${id(1)}`))).toEqual([id(1)])
})

test('an address that somebody wrote by hand asks for nothing that the server would refuse', () => {
  expect(tagsInAddress(new URLSearchParams("tagIds=x&tagIds=&tagIds=1' or 1=1"))).toEqual([])
  const many = Array.from({ length: MAX_FILTER_TAGS + 5 }, (_, n) => id(n))
  expect(tagsInAddress(new URLSearchParams(many.map((one) => ['tagIds', one])))).toHaveLength(MAX_FILTER_TAGS)
  expect(tagFilterAddress(many).size).toBe(MAX_FILTER_TAGS)
})

test('words come back trimmed; asking for a search without words is not the same as asking for none', () => {
  expect(wordsInAddress(searchAddress('silk & lace'))).toBe('silk & lace')
  expect(wordsInAddress(new URLSearchParams('q=%20'))).toBe('')
  expect(wordsInAddress(searchAddress(''))).toBeNull()
})
