import { describe, expect, test } from 'vitest'
import { MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import { NOTHING_SELECTED, refreshed, type Selection, selectAll, toggle } from './selection.ts'

type Item = { _id: string; title?: string }
const items: Item[] = ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id }))
const ids = ({ chosen }: Selection<Item>) => [...chosen.keys()].sort().join('')

/** Clicks one after another; a capital letter is a click with shift. */
function click(letters: string, start: Selection<Item> = NOTHING_SELECTED): Selection<Item> {
  return [...letters].reduce(
    (selection, letter) => toggle(selection, items, letter.toLowerCase(), letter !== letter.toLowerCase()),
    start,
  )
}

describe('selecting', () => {
  test.each([
    ['a', 'a'],
    ['ab', 'ab'],
    ['aa', ''],
    ['bD', 'bcd'],
    ['dB', 'bcd'],
    ['aEcD', 'abe'],
    ['C', 'c'],
    ['aBD', 'abcd'],
  ])('clicks on %s leave "%s"', (clicks, left) => {
    expect(ids(click(clicks))).toBe(left)
  })

  test('a range from an item that is no longer listed adds only the clicked one', () => {
    expect(ids(click('D', { chosen: new Map([['z', { _id: 'z' }]]), anchor: 'z' }))).toBe('dz')
  })

  test('all that are loaded join those chosen before', () => {
    const before = { chosen: new Map([['z', { _id: 'z' }]]), anchor: null }
    expect(ids(selectAll<Item>(before, items))).toBe('abcdez')
  })

  test('never more than can be chosen together', () => {
    const many = Array.from({ length: MAX_MEDIA_SELECTED + 5 }, (_, at) => ({ _id: `i${at}` }))
    const all = selectAll<Item>(NOTHING_SELECTED, many)
    expect(all.chosen.size).toBe(MAX_MEDIA_SELECTED)
    expect(toggle(all, many, `i${MAX_MEDIA_SELECTED + 1}`, false).chosen.size).toBe(MAX_MEDIA_SELECTED)
  })

  test('an item that changed is the new one, and nothing joins by it', () => {
    const { chosen } = refreshed(click('ab'), [{ _id: 'a', title: 'new' }, { _id: 'c' }])
    expect([...chosen.values()]).toEqual([{ _id: 'a', title: 'new' }, { _id: 'b' }])
  })
})
