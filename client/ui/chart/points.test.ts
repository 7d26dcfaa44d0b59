import { expect, test } from 'vitest'
import { addDays, addMonths, unitsBetween } from './points.ts'

test('days and months go on over the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  expect(addMonths('2026-11-21', 2)).toBe('2027-01-01')
  expect(addMonths('2026-01-31', -1)).toBe('2025-12-01')
})

test('both ends are part of a range, and nothing is left out where clocks change', () => {
  expect(unitsBetween('2026-10-30', '2026-11-02', 'day')).toEqual([
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ])
  expect(unitsBetween('2026-11-30', '2027-01-01', 'month')).toEqual(['2026-11', '2026-12', '2027-01'])
  expect(unitsBetween('2026-01-01', '2026-12-31', 'day')).toHaveLength(365)
  expect(unitsBetween('2026-11-22', '2026-11-21', 'day')).toEqual([])
})
