import { renderHook } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { momentOf, wallTime } from '../../contract/wall-time.ts'
import { useZonedTime } from './zoned-time.ts'

describe('a moment on a wall clock', () => {
  test.each([
    ['2026-11-21T20:40:00Z', 'America/New_York', '2026-11-21T15:40'],
    ['2026-07-21T20:40:59Z', 'America/New_York', '2026-07-21T16:40'],
    ['2026-12-31T23:30:00Z', 'Asia/Kolkata', '2027-01-01T05:00'],
    ['2026-03-01T00:15:00Z', 'Pacific/Apia', '2026-03-01T13:15'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00'],
  ])('%s in %s is %s, and back', (moment, zone, wall) => {
    expect(wallTime(new Date(moment), zone)).toBe(wall)
    expect(momentOf(wall, zone)?.toISOString()).toBe(`${moment.slice(0, 16)}:00.000Z`)
  })

  test('an unknown zone is an error, not another zone', () => {
    expect(() => wallTime(new Date(0), 'America/Springfield')).toThrow(RangeError)
  })
})

describe('when the clock is set forward or back', () => {
  test.each([
    ['skipped', '2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30', '2026-03-08T03:30'],
    [
      'skipped by half an hour',
      '2026-10-04T02:15',
      'Australia/Lord_Howe',
      '2026-10-03T15:45',
      '2026-10-04T02:45',
    ],
    ['skipped at midnight', '2026-09-06T00:30', 'America/Santiago', '2026-09-06T04:30', '2026-09-06T01:30'],
    ['twice', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30', '2026-11-01T01:30'],
    ['twice in Berlin', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30', '2026-10-25T02:30'],
    ['just before', '2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59', '2026-03-08T01:59'],
    ['just after', '2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00', '2026-03-08T03:00'],
    ['a day that was left out', '2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00', '2011-12-31T12:00'],
  ])('%s: %s in %s is %s UTC, shown as %s', (_name, wall, zone, utc, shown) => {
    const moment = momentOf(wall, zone)
    expect(moment?.toISOString().slice(0, 16)).toBe(utc)
    expect(moment && wallTime(moment, zone)).toBe(shown)
  })

  test('around both changes every quarter of an hour is found again by its wall time, except in the repeated hour', () => {
    const zone = 'America/New_York'
    const days = [Date.UTC(2026, 2, 7), Date.UTC(2026, 9, 31)]
    const quarters = days.flatMap((day) => Array.from({ length: 288 }, (_, at) => day + at * 900_000))
    const lost = quarters.filter((at) => momentOf(wallTime(new Date(at), zone), zone)?.getTime() !== at)
    expect(lost.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual(
      ['06:00', '06:15', '06:30', '06:45'].map((time) => `2026-11-01T${time}`),
    )
  })
})

test.each([
  '',
  '2026-02-30T10:00',
  '2026-11-21',
  '2026-11-21T25:00',
  '21.11.2026 10:00',
  '2026-11-21T10:00Z',
  // On the way to 2026, key by key.
  ...['0000', '0002', '0020', '0202', '1899', '2101', '9999'].map((year) => `${year}-11-21T10:00`),
  '20260-11-21T10:00',
])('“%s” is no time', (text) => {
  expect(momentOf(text, 'UTC')).toBeNull()
})

test('of a time that comes twice both moments are known, and which of them one is', () => {
  const { toMoments, toMoment, isSecond } = renderHook(() => useZonedTime('America/New_York')).result.current
  const [first, second] = [new Date('2026-11-01T05:30:00Z'), new Date('2026-11-01T06:30:00Z')]
  expect(toMoments('2026-11-01T01:30')).toEqual([first, second])
  expect([false, true].map((isSecond) => toMoment('2026-11-01T01:30', isSecond))).toEqual([first, second])
  expect([first, second, new Date('2026-11-01T07:30:00Z')].map(isSecond)).toEqual([false, true, false])
  // One that comes once, or never, has one moment alone.
  for (const wall of ['2026-11-01T02:30', '2026-03-08T02:30']) {
    expect(toMoments(wall)).toHaveLength(1)
    expect(toMoment(wall, true)).toEqual(toMoment(wall))
  }
  expect([toMoments('soon'), toMoment('soon', true)]).toEqual([[], null])
})

test('a page works in the zone that is chosen, or in the browser’s own', () => {
  const { result, rerender } = renderHook(({ zone }) => useZonedTime(zone), {
    initialProps: { zone: 'Asia/Tokyo' as string | undefined },
  })
  expect(result.current.toWall(new Date('2026-11-21T20:40:00Z'))).toBe('2026-11-22T05:40')
  expect(result.current.toMoment('2026-11-22T05:40')?.toISOString()).toBe('2026-11-21T20:40:00.000Z')
  rerender({ zone: undefined })
  expect(result.current.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})
