import { expect, test } from 'vitest'
import { daysLater } from './rules.ts'

test.each([
  ['America/New_York', '2026-11-02T06:30:20.000Z', -1, '2026-11-01T05:30:20.000Z'],
  ['America/New_York', '2026-11-01T06:30:00.000Z', 0, '2026-11-01T06:30:00.000Z'],
  ['America/New_York', '2026-11-01T06:30:00.000Z', 1, '2026-11-02T06:30:00.000Z'],
  ['America/New_York', '2027-03-13T07:30:00.000Z', 1, '2027-03-14T07:30:00.000Z'],
  ['Atlantic/Azores', '2027-11-01T01:30:00.000Z', -1, '2027-10-31T00:30:00.000Z'],
  ['Atlantic/Azores', '2027-03-27T01:30:00.000Z', 1, '2027-03-28T01:30:00.000Z'],
  ['Australia/Lord_Howe', '2027-04-02T14:40:00.000Z', 1, '2027-04-03T14:40:00.000Z'],
])('in %s, %s is %i days later %s', (timeZone, moment, days, later) => {
  expect(daysLater(new Date(moment), days, timeZone).toISOString()).toBe(later)
})
