import { expect, test } from 'vitest'
import { firstDay, soldBy, totalOf } from './range.ts'

const today = '2026-11-22'
const day = (name: string, sales: number, share: string) => ({
  day: name,
  sales,
  gross: '$10',
  fee: '$2',
  share,
})

test.each([
  ['7', '2026-11-16'],
  ['30', '2026-10-24'],
  ['12', '2025-12-01'],
  ['all', undefined],
] as const)('range %s begins on %s', (range, first) => {
  expect(firstDay(range, today)).toBe(first)
})

test('each day of the range has its place, those without a sale as well', () => {
  const sold = soldBy([day('2026-11-16', 1, '$8'), day('2026-11-22', 2, '$1,016.50')], '7', today)
  expect(sold.map(({ key, share }) => [key, share])).toEqual([
    ['2026-11-16', 800],
    ['2026-11-17', 0],
    ['2026-11-18', 0],
    ['2026-11-19', 0],
    ['2026-11-20', 0],
    ['2026-11-21', 0],
    ['2026-11-22', 101_650],
  ])
  expect(sold[0]).toMatchObject({ tick: 'Nov 16', title: 'Nov 16, 2026', sales: 1, gross: 1000, fee: 200 })
  expect(totalOf(sold)).toEqual({ sales: 3, share: '$1,024.50' })
})

test('days add up to months; a day on which more was given back than sold counts against them', () => {
  const sold = soldBy(
    [day('2026-09-30', 1, '$8'), day('2026-11-01', 1, '$8'), day('2026-11-02', 1, '-$3')],
    'all',
    today,
  )
  expect(sold.map(({ key, sales, share }) => [key, sales, share])).toEqual([
    ['2026-09', 1, 800],
    ['2026-10', 0, 0],
    ['2026-11', 2, 500],
  ])
  expect(sold[0]).toMatchObject({ tick: 'Sep 2026', title: 'Sep 2026' })
})
