import { describe, expect, test } from 'vitest'
import {
  changedCounts,
  isFoundBy,
  type Pages,
  type VerificationRecord,
  withoutRecord,
  withRecord,
} from './records.ts'

const record = (name: string): VerificationRecord => ({
  name,
  verificationType: 'required',
  notes: '',
  confirmed: 'pending',
  status: 'todo',
  remindOn: null,
})

/** A column of these names, page by page; `more` says that the server has further ones. */
function column(names: string[][], more = false): Pages {
  return {
    pages: names.map((page, at) => ({
      items: page.map(record),
      hasMore: more || at < names.length - 1,
      nextCursor: null,
      counts: { todo: 3, pending: 1, done: 0 },
    })),
    pageParams: names.map(() => undefined),
  }
}

const namesOf = ({ pages }: Pages) => pages.map(({ items }) => items.map(({ name }) => name))

describe('a record that moves between columns', () => {
  test.each([
    ['before all', [['Books', 'Cats'], ['Dogs']], 'Art', false, [['Art', 'Books', 'Cats'], ['Dogs']]],
    [
      'in the middle, whatever the case',
      [['Art', 'cats'], ['Dogs']],
      'Birds',
      false,
      [['Art', 'Birds', 'cats'], ['Dogs']],
    ],
    ['at the end of all', [['Books'], ['Dogs']], 'Yarn', false, [['Books'], ['Dogs', 'Yarn']]],
    ['beyond what is loaded', [['Books'], ['Dogs']], 'Yarn', true, [['Books'], ['Dogs']]],
    ['into an empty column', [[]], 'Yarn', false, [['Yarn']]],
  ])('comes %s', (_place, before, name, more, after) => {
    expect(namesOf(withRecord(column(before, more), record(name)))).toEqual(after)
  })

  test('stands in a column once', () => {
    expect(namesOf(withRecord(column([['Books', 'Cats']]), record('cats')))).toEqual([['Books', 'cats']])
  })

  test('leaves its column, whatever the case of its name', () => {
    expect(namesOf(withoutRecord(column([['Books'], ['Cats']]), 'CATS'))).toEqual([['Books'], []])
  })

  test('is counted where it went, on every page', () => {
    const { pages } = changedCounts(column([['Books'], ['Cats']]), 'todo', 'done')
    expect(pages.map(({ counts }) => counts)).toEqual(Array(2).fill({ todo: 2, pending: 1, done: 1 }))
  })

  test('changes no count where it already is', () => {
    const before = column([['Books']])
    expect(changedCounts(before, 'todo', 'todo')).toBe(before)
  })
})

test('a record is found with r/ in front of its name too', () => {
  for (const search of ['r/gard', '/r/GARD', 'dens', ''])
    expect(isFoundBy(record('Gardens'), search), search).toBe(true)
  expect(isFoundBy(record('Gardens'), 'r/lake')).toBe(false)
})
