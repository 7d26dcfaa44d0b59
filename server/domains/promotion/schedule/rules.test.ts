import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfQueue, keepsLimit, type Limit, limitOf, nextInRhythm, type Rhythm } from './rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const EVERY_HOUR = Array.from({ length: 24 }, (_, hour) => hour)

const rhythm = (timeZone: string, hours = EVERY_HOUR, days = EVERY_DAY, gapMinutes = 60): Rhythm => ({
  timeZone,
  days,
  hours,
  gapMinutes,
})
const next = (from: string, timeZone: string, hours: number[], days?: number[]) =>
  nextInRhythm(new Date(from), rhythm(timeZone, hours, days))?.toISOString()

describe('the next moment of a rhythm', () => {
  test.each([
    ['itself where it is inside', '2027-05-04T12:00:00Z', 'UTC', [12], undefined, '2027-05-04T12:00:00.000Z'],
    ['the next whole minute', '2027-05-04T12:00:01Z', 'UTC', [12], undefined, '2027-05-04T12:01:00.000Z'],
    ['the next day', '2027-05-04T12:59:01Z', 'UTC', [12], undefined, '2027-05-05T12:00:00.000Z'],
    ['a day of the week', '2027-05-04T12:00:00Z', 'UTC', [0], [0], '2027-05-09T00:00:00.000Z'],
    [
      'the zone’s day, not UTC’s',
      '2027-05-09T00:00:00Z',
      'America/New_York',
      [21],
      [6],
      '2027-05-09T01:00:00.000Z',
    ],
    [
      'an offset of 45 minutes',
      '2027-05-04T00:00:00Z',
      'Asia/Kathmandu',
      [9],
      undefined,
      '2027-05-04T03:15:00.000Z',
    ],
    [
      'tomorrow where the clock skips its hour',
      '2027-03-14T05:00:00Z',
      'America/New_York',
      [2],
      undefined,
      '2027-03-15T06:00:00.000Z',
    ],
    [
      'two weeks on where the clock skips its only hour of the week',
      '2027-03-07T08:00:00Z',
      'America/New_York',
      [2],
      [0],
      '2027-03-21T06:00:00.000Z',
    ],
    [
      'the first of an hour that comes twice',
      '2027-11-07T04:30:00Z',
      'America/New_York',
      [1],
      undefined,
      '2027-11-07T05:00:00.000Z',
    ],
    [
      'the second of an hour that comes twice',
      '2027-11-07T05:59:30Z',
      'America/New_York',
      [1],
      undefined,
      '2027-11-07T06:00:00.000Z',
    ],
    ['Berlin’s spring', '2027-03-27T23:00:00Z', 'Europe/Berlin', [2], undefined, '2027-03-29T00:00:00.000Z'],
    ['Berlin’s fall', '2027-10-31T00:59:01Z', 'Europe/Berlin', [2], undefined, '2027-10-31T01:00:00.000Z'],
    [
      'the half hour that is left of one',
      '2027-10-02T15:00:00Z',
      'Australia/Lord_Howe',
      [2],
      undefined,
      '2027-10-02T15:30:00.000Z',
    ],
    [
      'the half hour that comes twice',
      '2027-04-03T14:59:30Z',
      'Australia/Lord_Howe',
      [1],
      undefined,
      '2027-04-03T15:00:00.000Z',
    ],
    [
      'the quarter hour that is left of one',
      '2027-09-25T13:15:00Z',
      'Pacific/Chatham',
      [3],
      undefined,
      '2027-09-25T14:00:00.000Z',
    ],
  ])('is %s', (_, from, timeZone, hours, days, expected) => {
    expect(next(from, timeZone, hours, days)).toBe(expected)
  })
})

/** Moments at which clocks change, or don't, and the days around them, minute by minute. */
const CHANGES = [
  ['America/New_York', '2027-03-14T07:00:00Z'],
  ['America/New_York', '2027-11-07T06:00:00Z'],
  ['Europe/Berlin', '2027-03-28T01:00:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30:00Z'],
  ['Pacific/Chatham', '2027-04-03T14:00:00Z'],
  ['Pacific/Chatham', '2027-09-25T14:00:00Z'],
  ['Asia/Kathmandu', '2027-06-01T00:00:00Z'],
] as const
const [BEFORE, AFTER] = [2 * 24 * 60, 16 * 24 * 60]

/** Day and hour of each minute around a change, as a calendar of that place has them. */
const calendars = CHANGES.map(([timeZone, change]) => {
  const start = Date.parse(change) - BEFORE * MINUTE_MS
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit' })
  const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  const minutes = Array.from({ length: BEFORE + AFTER }, (_, minute) => {
    const [day = '', hour = ''] = format.format(start + minute * MINUTE_MS).split(/,? /)
    return { day: names.indexOf(day), hour: Number(hour) }
  })
  return { timeZone, start, minutes }
})

/** The first whole minute that passes, looked at one by one; undefined where the calendar ends before. */
function search(
  { start, minutes }: (typeof calendars)[number],
  from: number,
  passes: (minute: { day: number; hour: number }, time: number) => boolean,
): number | undefined {
  for (let index = Math.ceil((from - start) / MINUTE_MS); index < minutes.length; index++) {
    const minute = minutes[index]
    if (minute && passes(minute, start + index * MINUTE_MS)) return start + index * MINUTE_MS
  }
  return undefined
}

/** Whether no window that holds `at` holds more than `max` posts, tried from every post on. */
function keepsSlowly(at: number, { max, windowMs, times }: Limit): boolean {
  const all = [...times.map((time) => time.getTime()), at]
  return all.every((first) => {
    const inside = all.filter((time) => time >= first && time < first + windowMs)
    return first > at || at >= first + windowMs || inside.length <= max
  })
}

const calendar = fc.constantFrom(...calendars)
const days = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 })
const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 6 })
/** Milliseconds from two days before a change to three days after it. */
const offset = fc.integer({ min: 0, max: 5 * DAY_MS })
const limits = fc.array(
  fc.record({
    rule: fc.constantFrom('frequency', 'repost', 'same-media'),
    max: fc.integer({ min: 1, max: 3 }),
    windowMs: fc.integer({ min: 1, max: 48 }).map((amount) => amount * HOUR_MS),
    times: fc.array(offset, { maxLength: 8 }),
  }),
  { maxLength: 3 },
)
const RUNS = { numRuns: 3000 }

describe('against a search minute by minute', () => {
  test('the next moment of a rhythm is the first there is', () => {
    const one = fc.property(calendar, days, hours, offset, (around, days, hours, offset) => {
      const from = around.start + offset
      const found = search(around, from, ({ day, hour }) => days.includes(day) && hours.includes(hour))
      fc.pre(found !== undefined)
      const time = nextInRhythm(new Date(from), rhythm(around.timeZone, hours, days))
      expect(time?.getTime()).toBe(found)
    })
    fc.assert(one, RUNS)
  })

  test('a limit is kept where every window keeps it', () => {
    const one = fc.property(limits, offset, (limits, at) => {
      for (const { times, ...limit } of limits) {
        const whole = { ...limit, times: times.map((time) => new Date(time)) }
        expect(keepsLimit(new Date(at), whole)).toBe(keepsSlowly(at, whole))
      }
    })
    fc.assert(one, { numRuns: 2000 })
  })

  test('the end of the queue is the first moment that keeps rhythm, gap and limits', () => {
    const gap = fc.integer({ min: 1, max: 2880 })
    const one = fc.property(
      fc.record({ around: calendar, days, hours, now: offset, last: fc.option(offset), gap, limits }),
      ({ around, days, hours, now, last, gap, limits }) => {
        const [at, behind] = [around.start + now, last === null ? null : around.start + last]
        const kept = limits.map(({ times, ...limit }) => ({
          ...limit,
          times: times.map((time) => new Date(around.start + time)),
        }))
        const from = Math.max(at + MINUTE_MS, behind === null ? 0 : behind + gap * MINUTE_MS)
        const found = search(
          around,
          from,
          ({ day, hour }, time) =>
            days.includes(day) && hours.includes(hour) && kept.every((limit) => keepsSlowly(time, limit)),
        )
        fc.pre(found !== undefined)
        const slot = endOfQueue(rhythm(around.timeZone, hours, days, gap), {
          last: behind === null ? null : new Date(behind),
          limits: kept,
          now: new Date(at),
        })
        expect(slot?.getTime()).toBe(found)
      },
    )
    fc.assert(one, RUNS)
  })
})

describe('the end of the queue', () => {
  const now = new Date('2027-05-04T12:00:30Z')
  const end = (last: string | null, limits: Limit[] = [], of = rhythm('UTC')) =>
    endOfQueue(of, { last: last === null ? null : new Date(last), limits, now })?.toISOString() ?? null

  test('is still to come, and a gap behind the last', () => {
    expect(end(null)).toBe('2027-05-04T12:02:00.000Z')
    expect(end('2027-05-01T12:00:00Z')).toBe('2027-05-04T12:02:00.000Z')
    expect(end('2027-05-06T08:30:00Z')).toBe('2027-05-06T09:30:00.000Z')
    expect(end('2027-05-06T08:30:00Z', [], rhythm('UTC', [9, 18], EVERY_DAY, 90))).toBe(
      '2027-05-06T18:00:00.000Z',
    )
  })

  test('counts the gap in time that passes, whatever the clock shows', () => {
    const of = rhythm('America/New_York', [1], EVERY_DAY, 61)
    expect(end('2027-11-07T05:00:00Z', [], of)).toBe('2027-11-07T06:01:00.000Z')
  })

  test('fits between posts that a limit counts, on both sides', () => {
    const limit: Limit = {
      rule: 'frequency',
      max: 1,
      windowMs: DAY_MS,
      times: [new Date('2027-05-04T10:00:00Z'), new Date('2027-05-06T12:00:00Z')],
    }
    expect(end(null, [limit])).toBe('2027-05-05T10:00:00.000Z')
    const dense = { ...limit, times: [...limit.times, new Date('2027-05-05T11:00:00Z')] }
    expect(end(null, [dense])).toBe('2027-05-07T12:00:00.000Z')
  })

  test('is nowhere where a year has no room', () => {
    const rule = 'repost'
    const limit = limitOf(rule, { max: 1, interval: 1000, unit: 'days' }, [now])
    expect(limit).toMatchObject({ windowMs: 1000 * DAY_MS })
    expect(end(null, limit ? [limit] : [])).toBeNull()
    expect(limitOf(rule, { max: null, interval: null, unit: null }, [])).toBeNull()
  })
})
