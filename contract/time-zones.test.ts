import { expect, test } from 'vitest'
import { TimeZone } from './schemas.ts'
import { todaysZone } from './time-zones.ts'
import { wallTime } from './wall-time.ts'

test('every zone has the name of today, which is accepted and means the same clock', () => {
  expect(
    ['Asia/Calcutta', 'America/Buenos_Aires', 'Europe/Kiev'].map((name) => TimeZone.parse(name)),
  ).toEqual(['Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Europe/Kyiv'])
  const moments = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')]
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const today = TimeZone.parse(name)
    expect(TimeZone.parse(today)).toBe(today)
    for (const moment of moments) expect(wallTime(moment, today), name).toBe(wallTime(moment, name))
  }
  expect(todaysZone('America/New_York')).toBe('America/New_York')
})
