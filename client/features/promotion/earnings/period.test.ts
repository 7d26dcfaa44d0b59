import { expect, test } from 'vitest'
import { askedOf, periodOf } from './period.ts'

const startOf = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString()

test('so many days end today, and go on as long as today does', () => {
  expect(askedOf(periodOf('30', '2026-03-31'))).toEqual({ from: startOf(2026, 3, 2) })
  expect(askedOf(periodOf('365', '2026-03-31'))).toEqual({ from: startOf(2025, 4, 1) })
})

test('chosen days are whole ones, both included', () => {
  const chosen = { name: 'custom', first: '2026-02-27', last: '2026-02-28' } as const
  expect(askedOf(chosen)).toEqual({ from: startOf(2026, 2, 27), to: startOf(2026, 3, 1) })
})

test.each([
  ['2026-02-28', '2026-02-27'],
  ['', '2026-02-27'],
  ['2026-02-28', ''],
  ...['0002', '0020', '0202', '20260'].flatMap((year) => [
    [`${year}-02-01`, '2026-02-27'],
    ['2026-02-01', `${year}-02-27`],
  ]),
])('from %j to %j there is nothing to ask', (first, last) => {
  expect(askedOf({ name: 'custom', first, last })).toBeNull()
})
