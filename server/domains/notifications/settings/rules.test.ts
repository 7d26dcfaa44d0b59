import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOTIFICATION_TOPICS, REQUIRED_TOPICS } from '../../../../contract/notifications.ts'
import {
  afterQuiet,
  channelsOf,
  isQuiet,
  isWeekly,
  type LocalDay,
  movedDigestAt,
  nextDigestAt,
  unsubscribed,
} from './rules.ts'

const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
]
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const quarter = fc.integer({ min: 0, max: 95 }).map((number) => number * 15)
const day = fc
  .record({ timeZone: fc.constantFrom(...ZONES), quiet: fc.record({ from: quarter, to: quarter }) })
  .filter(({ quiet }) => quiet.from !== quiet.to)
// Days on which clocks change among them.
const moment = fc.date({ min: new Date('2026-02-20Z'), max: new Date('2026-11-30Z'), noInvalidDate: true })

test('what waits for the end of quiet hours comes at their first end, whatever the clocks do', () => {
  fc.assert(
    fc.property(moment, day, (now, local) => {
      const end = afterQuiet(now, local)
      expect(isQuiet(end, local)).toBe(false)
      if (!isQuiet(now, local)) {
        expect(end).toEqual(now)
        return
      }
      expect(end > now).toBe(true)
      // Less than a day, and an hour for clocks that are set back.
      expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(25 * HOUR_MS)
      for (let at = now.getTime(); at < end.getTime(); at += 7 * MINUTE_MS)
        expect(isQuiet(new Date(at), local)).toBe(true)
    }),
  )
})

test.each([
  // Across midnight.
  ['2026-06-01T05:00:00Z', { from: 22 * 60, to: 7 * 60 }, '2026-06-01T11:00:00.000Z'],
  // New York’s clocks go from 2 to 3: a quiet end that is skipped is over at once.
  ['2026-03-08T06:30:00Z', { from: 60, to: 150 }, '2026-03-08T07:00:00.000Z'],
  // They go back from 2 to 1: the first 1:30 is the end.
  ['2026-11-01T04:30:00Z', { from: 0, to: 90 }, '2026-11-01T05:30:00.000Z'],
  ['2026-06-01T15:00:00Z', { from: 22 * 60, to: 7 * 60 }, '2026-06-01T15:00:00.000Z'],
])('in New York at %s, quiet %o, is told at %s', (now, quiet, at) => {
  expect(afterQuiet(new Date(now), { timeZone: 'America/New_York', quiet }).toISOString()).toBe(at)
})

test('a digest comes within a day or a week, never in quiet hours, and a week’s on a Monday', () => {
  fc.assert(
    fc.property(moment, fc.option(day), (now, chosen) => {
      const local: LocalDay = chosen ?? { timeZone: 'America/New_York', quiet: null }
      const daily = nextDigestAt(now, 'daily', local)
      const weekly = nextDigestAt(now, 'weekly', local)
      for (const [at, hours] of [
        [daily, 2 * 25],
        [weekly, 8 * 25],
      ] as const) {
        expect(at > now).toBe(true)
        expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(hours * HOUR_MS)
        expect(isQuiet(at, local)).toBe(false)
      }
      expect(isWeekly({ due: weekly, now: weekly }, local)).toBe(true)
    }),
  )
})

test.each([
  ['2026-06-01T13:00:00Z', '2026-06-01T13:00:00Z', null, true],
  ['2026-06-02T13:00:00Z', '2026-06-02T13:00:00Z', null, false],
  ['2026-06-03T13:00:00Z', '2026-06-07T23:00:00Z', null, false],
  // Due on a Sunday, and sent on Monday only.
  ['2026-05-31T13:00:00Z', '2026-06-01T14:00:00Z', null, true],
  // Quiet hours until midnight move Monday’s to Tuesday.
  ['2026-06-02T04:00:00Z', '2026-06-02T04:00:00Z', { from: 8 * 60, to: 0 }, true],
  ['2026-06-03T04:00:00Z', '2026-06-03T04:00:00Z', { from: 8 * 60, to: 0 }, false],
])(
  'a digest due in New York at %s and sent at %s, quiet %o, is a week’s as well: %s',
  (due, now, quiet, weekly) => {
    const moments = { due: new Date(due), now: new Date(now) }
    expect(isWeekly(moments, { timeZone: 'America/New_York', quiet })).toBe(weekly)
  },
)

test('no choice and no link ends what is required', () => {
  for (const topic of REQUIRED_TOPICS) {
    expect(channelsOf(topic, { email: 'off', push: false }).email).toBe('now')
    expect(unsubscribed(topic, () => 'now')).toEqual([])
  }
  const ended = unsubscribed('digest', () => 'daily')
  expect(ended).toEqual(NOTIFICATION_TOPICS.filter((topic) => !REQUIRED_TOPICS.has(topic)))
  expect(unsubscribed('gifts', () => 'now')).toEqual(['gifts'])
})

test.each([
  ['on Sunday', '2026-06-01T13:00:00Z', '2026-05-31T20:00:00Z', '2026-06-01T07:00:00.000Z'],
  ['on Monday before nine', '2026-06-01T13:00:00Z', '2026-06-01T05:00:00Z', '2026-06-01T07:00:00.000Z'],
  ['on Monday after nine', '2026-06-01T13:00:00Z', '2026-06-01T08:00:00Z', '2026-06-01T13:00:00.000Z'],
  ['on Monday afternoon', '2026-06-02T13:00:00Z', '2026-06-01T14:00:00Z', '2026-06-02T07:00:00.000Z'],
])('a move from New York to Berlin %s doesn’t put Monday’s digest off', (_when, due, now, expected) => {
  const moments = { due: new Date(due), now: new Date(now) }
  expect(movedDigestAt(moments, { timeZone: 'Europe/Berlin', quiet: null }).toISOString()).toBe(expected)
})
