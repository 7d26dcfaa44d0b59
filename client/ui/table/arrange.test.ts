import { describe, expect, test } from 'vitest'
import { AS_IT_COMES, arrange, sortedNext } from './arrange.ts'

type Sale = { title: string; cents: number; kind: string }

const sales: Sale[] = [
  { title: 'Bundle 10', cents: 1000, kind: 'bundle' },
  { title: 'bundle 2', cents: 25_000, kind: 'bundle' },
  { title: 'Single', cents: 500, kind: 'single' },
]
const columns = [
  { id: 'title', value: ({ title }: Sale) => title, text: ({ title }: Sale) => title },
  { id: 'amount', value: ({ cents }: Sale) => cents, text: ({ cents }: Sale) => `$${cents / 100}` },
  { id: 'menu' },
]
const titles = (change: Partial<typeof AS_IT_COMES>) =>
  arrange(sales, columns, { ...AS_IT_COMES, ...change }, ({ kind }) => kind).map(({ title }) => title)

describe('the order of rows', () => {
  test.each([
    ['as they come', null, ['Bundle 10', 'bundle 2', 'Single']],
    [
      'by words, numbers in them by size',
      { column: 'title', descending: false },
      ['bundle 2', 'Bundle 10', 'Single'],
    ],
    [
      'by amount, the highest first',
      { column: 'amount', descending: true },
      ['bundle 2', 'Bundle 10', 'Single'],
    ],
    [
      'by what can’t be sorted by',
      { column: 'menu', descending: false },
      ['Bundle 10', 'bundle 2', 'Single'],
    ],
  ])('%s', (_what, sort, expected) => {
    expect(titles({ sort })).toEqual(expected)
    // What was given is not moved.
    expect(sales[0]?.title).toBe('Bundle 10')
  })

  test('a column leads up, down and back', () => {
    const up = sortedNext(null, 'title')
    expect(up).toEqual({ column: 'title', descending: false })
    const down = sortedNext(up, 'title')
    expect(down).toEqual({ column: 'title', descending: true })
    expect(sortedNext(down, 'title')).toBeNull()
    expect(sortedNext(down, 'amount')).toEqual({ column: 'amount', descending: false })
  })
})

test.each([
  ['  BUNDLE ', '', ['Bundle 10', 'bundle 2']],
  ['bundle $250', '', ['bundle 2']],
  // What is sorted by but not shown finds nothing.
  ['25000', '', []],
  ['', 'single', ['Single']],
  ['bundle', 'single', []],
])('searched for “%s” among “%s”', (search, only, expected) => {
  expect(titles({ search, only })).toEqual(expected)
})
