import { describe, expect, test } from 'vitest'
import {
  dayOf,
  formatContents,
  formatCount,
  formatDate,
  formatDateTime,
  formatDayOfMonth,
  formatDeadline,
  formatDuration,
  formatMonth,
  formatNumber,
  formatSeconds,
  formatTime,
  withCents,
} from './format.ts'
import {
  formatBytes,
  formatCountry,
  formatOrdinal,
  formatPercent,
  formatWait,
  formatWeekday,
  readNumber,
} from './format-occasional.ts'

const afternoon = new Date(2026, 10, 21, 15, 40)

test('moments', () => {
  expect(formatDate(afternoon)).toBe('Nov 21, 2026')
  expect(formatDate(afternoon.toISOString())).toBe('Nov 21, 2026')
  expect(formatDate('2026-11-21')).toBe('Nov 21, 2026')
  expect(formatDayOfMonth('2026-11-01')).toBe('Nov 1')
  expect([formatWeekday('2026-11-21'), formatWeekday('2026-11-21', 'short')]).toEqual(['Saturday', 'Sat'])
  expect(formatMonth('2026-11')).toBe('Nov 2026')
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  expect(formatTime(afternoon)).toBe('3:40 PM')
  expect(formatTime(new Date(2026, 10, 21, 0, 5))).toBe('12:05 AM')
  expect(formatDateTime(afternoon)).toBe('Nov 21, 2026, 3:40 PM')
})

test.each([
  [0, '0:00'],
  [59, '0:59'],
  [59.6, '1:00'],
  [250, '4:10'],
  [3725, '1:02:05'],
  [-3, '0:00'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test('amounts that are compared', () => {
  expect(['$4', '$4.50', '-$1,234'].map(withCents)).toEqual(['$4.00', '$4.50', '-$1,234.00'])
})

test('numbers and counts', () => {
  expect(formatNumber(1234567)).toBe('1,234,567')
  expect(formatCount(1, 'photo')).toBe('1 photo')
  expect(formatCount(0, 'photo')).toBe('0 photos')
  expect(formatCount(1200, 'person', 'people')).toBe('1,200 people')
})

describe('contents', () => {
  test.each([
    [{ photoCount: 8, videoCount: 1, videoSeconds: 312 }, '8 photos, 1 video (5:12)'],
    [{ photoCount: 1, videoCount: 0, videoSeconds: 0 }, '1 photo'],
    [{ photoCount: 1200, videoCount: 4, videoSeconds: 3723 }, '1,200 photos, 4 videos (1:02:03)'],
    [{ photoCount: 0, videoCount: 2 }, '2 videos'],
    [{ photoCount: 0, videoCount: 0, videoSeconds: 0 }, null],
  ])('%j: %s', (counts, words) => {
    expect(formatContents(counts)).toBe(words)
  })
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [812_300, '812 kB'],
  [999_600, '1.0 MB'],
  [1_234_567, '1.2 MB'],
  [4_700_000_000, '4.7 GB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [11, '11th'],
  [22, '22nd'],
  [1113, '1,113th'],
])('place %i is %s', (place, text) => {
  expect(formatOrdinal(place)).toBe(text)
})

test.each([
  [1, '1 min'],
  [44 * 60, '44 min'],
  [89 * 60, '89 min'],
  [150 * 60, '3 hr'],
])('%i seconds of waiting are about %s', (seconds, text) => {
  expect(formatWait(seconds)).toBe(text)
})

test('typed numbers', () => {
  expect(['2,500', ' 67 000 000 ', '1000', '12'].map(readNumber)).toEqual([2500, 67_000_000, 1000, 12])
  const others = ['2500.00', '2500,00', '1.000', '1e3', '-5', '', 'many']
  expect(others.filter((text) => !Number.isNaN(readNumber(text)))).toEqual([])
})

test('shares, moments of a video and countries', () => {
  expect(formatPercent(0.4249, 2)).toBe('0.42%')
  expect(formatSeconds(4)).toBe('4.0 s')
  expect(formatCountry('US')).toBe('United States')
  // Two letters that are no country, and what is not even two letters.
  expect(formatCountry('ZY')).toBe('ZY')
  expect(formatCountry('?')).toBe('?')
})

test.each([
  [3 * 86_400_000 + 5, 'Due in 3 days'],
  [86_400_000 - 1, 'Due in 23 hours'],
  [60_000, 'Due in 1 minute'],
  [59_999, 'Due now'],
  [-59_999, 'Due now'],
  [-3_600_000, '1 hour overdue'],
])('%i milliseconds from now: %s', (left, text) => {
  expect(formatDeadline(1_000_000_000 + left, 1_000_000_000)).toBe(text)
})
