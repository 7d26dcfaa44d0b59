import { afterEach, expect, test, vi } from 'vitest'
import type { TimelineItem } from './api.ts'
import { atHour, byDay, dayAfter, hourOf, hoursOf, isFree, onDay, startOf, weekOf } from './days.ts'

afterEach(() => vi.unstubAllEnvs())

function itemAt(_id: string, postTime: string, changes: Partial<TimelineItem> = {}): TimelineItem {
  return {
    _id,
    postId: 'post',
    subreddit: 'CozyKnits',
    title: 'The lake at dawn',
    comment: '',
    link: 'https://www.redgifs.com/ifr/quietlake',
    mediaId: null,
    flairId: null,
    flairText: null,
    nsfw: true,
    postTime,
    state: 'scheduled',
    byHand: false,
    accountId: null,
    account: 'MeadowMaker',
    failure: null,
    permalink: null,
    postedTime: null,
    commentState: 'none',
    commentFailure: null,
    score: null,
    commentsCount: null,
    removedBy: null,
    takenDownAt: null,
    thumbnail: null,
    clash: null,
    submitUrl: null,
    commentToPaste: null,
    ...changes,
  }
}

test('a moment belongs to the day that it has in the browser’s time zone', () => {
  const items = [itemAt('late', '2026-11-22T03:30:00Z'), itemAt('early', '2026-11-22T15:00:00Z')]
  vi.stubEnv('TZ', 'America/New_York')
  expect(byDay(items)).toEqual([
    { day: '2026-11-21', items: [items[0]] },
    { day: '2026-11-22', items: [items[1]] },
  ])
  vi.stubEnv('TZ', 'UTC')
  expect(byDay(items)).toEqual([{ day: '2026-11-22', items }])
})

test('a week begins on Sunday and has seven days, also when a clock is changed', () => {
  vi.stubEnv('TZ', 'America/New_York')
  const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06']
  expect(weekOf('2026-11-04')).toEqual([...days, '2026-11-07'])
  expect(weekOf('2026-11-01')).toEqual(weekOf('2026-11-07'))
  expect(dayAfter('2026-10-31', 1)).toBe('2026-11-01')
  expect(dayAfter('2026-11-01', -1)).toBe('2026-10-31')
  // The day on which the clock is set back has 25 hours.
  expect(startOf('2026-11-01')).toBe('2026-11-01T04:00:00.000Z')
  expect(startOf('2026-11-02')).toBe('2026-11-02T05:00:00.000Z')
})

test('what is moved to another day or hour keeps its time on the clock, also when that is changed', () => {
  vi.stubEnv('TZ', 'America/New_York')
  const moment = '2026-10-31T22:15:00.000Z'
  expect(onDay(moment, '2026-11-02')).toBe('2026-11-02T23:15:00.000Z')
  expect(onDay('2026-03-07T07:30:00.000Z', '2026-03-08')).toBe('2026-03-08T07:30:00.000Z')
  expect([hourOf(moment), atHour(moment, 9)]).toEqual([18, '2026-10-31T13:15:00.000Z'])
})

test('what is dropped where it lies stays, in an hour that comes twice too', () => {
  vi.stubEnv('TZ', 'America/New_York')
  for (const moment of ['2026-11-01T05:15:00.000Z', '2026-11-01T06:15:00.000Z']) {
    expect(hourOf(moment)).toBe(1)
    expect([atHour(moment, 1), onDay(moment, '2026-11-01')]).toEqual([moment, moment])
  }
})

test.each([
  ['America/New_York', '2026-03-07', 24, []],
  ['America/New_York', '2026-03-08', 23, [2]],
  ['America/New_York', '2026-11-01', 25, []],
  // Clocks are set forward at midnight, and by half an hour.
  ['Africa/Cairo', '2026-04-24', 23, [0]],
  ['Australia/Lord_Howe', '2026-10-04', 23.5, []],
])('a day in %s on %s has the hours that its clock shows', (zone, day, length, missing) => {
  vi.stubEnv('TZ', zone)
  const hours = hoursOf(day)
  const shown = Array.from({ length: 24 }, (_, hour) => hour).filter(
    (hour) => !missing.includes(hour as never),
  )
  expect(hours.map(({ hour }) => hour)).toEqual(shown)
  expect(new Date(hours[0]?.from ?? 0).toISOString()).toBe(startOf(day))
  for (const [index, { hour, from, to }] of hours.entries()) {
    expect([new Date(from).getHours(), new Date(to - 1).getHours()]).toEqual([hour, hour])
    expect(hours[index + 1]?.from ?? Date.parse(startOf(dayAfter(day, 1)))).toBe(to)
  }
  expect(((hours.at(-1)?.to ?? 0) - (hours[0]?.from ?? 0)) / 3_600_000).toBe(length)
})

test('an hour is free where the queue posts then, in its own time zone', () => {
  const queue = { timeZone: 'America/New_York', days: [0], hours: [22] }
  // A Sunday evening in New York is Monday in Greenwich.
  expect(isFree(new Date('2026-11-23T03:00:00Z'), queue)).toBe(true)
  expect(isFree(new Date('2026-11-23T02:00:00Z'), queue)).toBe(false)
  expect(isFree(new Date('2026-11-22T03:00:00Z'), queue)).toBe(false)
})
