import { expect, test } from 'vitest'
import { addDays, addMonths, scaleOf, unitsBetween } from './points.ts'

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

test.each([
  [[], 0, 1],
  [[0, 0], 0, 1],
  [[1200, 760], 0, 1500],
  [[100_000], 0, 100_000],
  [[-300, 4000], -2000, 4000],
  [[-5], -6, 2],
])('an axis for %j goes from %i to %i', (values, min, max) => {
  const scale = scaleOf(values)
  expect([scale.min, scale.max]).toEqual([min, max])
  expect(scale.lines[0]).toBe(min)
  expect(scale.lines.at(-1)).toBe(max)
  expect(scale.lines).toContain(0)
  expect(scale.lines.length).toBeLessThan(8)
})
