import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wallTime } from '../../../../contract/wall-time.ts'
import { clockOf, minuteOf, occurrencesOf } from './rules.ts'

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const timesOf = (minute: number, timeZone: string, now: string, days = EVERY_DAY) =>
  occurrencesOf({ days, minute }, { timeZone, now: new Date(now) }).map(({ on, at }) => [
    on,
    at.toISOString(),
  ])

test('a slot comes at its time on its days, from now on', () => {
  // A Tuesday, at noon in Berlin.
  expect(timesOf(12 * 60, 'Europe/Berlin', '2026-11-24T11:00:00Z', [2, 5])).toEqual([
    ['2026-11-27', '2026-11-27T11:00:00.000Z'],
    ['2026-12-01', '2026-12-01T11:00:00.000Z'],
  ])
  expect(timesOf(12 * 60 + 1, 'Europe/Berlin', '2026-11-24T11:00:00Z', [2])[0]).toEqual([
    '2026-11-24',
    '2026-11-24T11:01:00.000Z',
  ])
})

test('a time that the clock skips is as much later, and one that comes twice counts once', () => {
  const spring = timesOf(150, 'Europe/Berlin', '2026-03-27T12:00:00Z').slice(0, 3)
  expect(spring).toEqual([
    ['2026-03-28', '2026-03-28T01:30:00.000Z'],
    ['2026-03-29', '2026-03-29T01:30:00.000Z'],
    ['2026-03-30', '2026-03-30T00:30:00.000Z'],
  ])
  const autumn = timesOf(150, 'Europe/Berlin', '2026-10-23T12:00:00Z').slice(0, 3)
  expect(autumn).toEqual([
    ['2026-10-24', '2026-10-24T00:30:00.000Z'],
    ['2026-10-25', '2026-10-25T00:30:00.000Z'],
    ['2026-10-26', '2026-10-26T01:30:00.000Z'],
  ])
})

test('whatever the zone, days and time: each day once, in order, ahead of now, on its weekday', () => {
  const zones = ['UTC', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Chatham', 'Pacific/Apia']
  fc.assert(
    fc.property(
      fc.record({
        timeZone: fc.constantFrom(...zones),
        minute: fc.integer({ min: 0, max: 1439 }),
        days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
        now: fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
      }),
      ({ timeZone, minute, days, now }) => {
        const found = occurrencesOf({ days, minute }, { timeZone, now })
        expect(new Set(found.map(({ on }) => on)).size).toBe(found.length)
        for (const [index, { on, at }] of found.entries()) {
          expect(at > now && at > (found[index - 1]?.at ?? now)).toBe(true)
          expect(days).toContain(new Date(`${on}T00:00Z`).getUTCDay())
          expect(wallTime(at, timeZone).slice(0, 10)).toBe(on)
        }
        expect(found.length).toBeGreaterThanOrEqual(days.length)
      },
    ),
  )
  expect(minuteOf(clockOf(1439))).toBe(1439)
})
