import { expect, test } from 'vitest'
import { matchingStates, ownState } from './senate-list.ts'
import { CAPITOL_SWITCHBOARD, SENATE } from './senators.ts'

test('every one of the 50 states has two senators, each with a number of their own in Washington', () => {
  const senators = SENATE.flatMap((state) => state.senators)
  expect(new Set(SENATE.map(({ code }) => code)).size).toBe(50)
  expect(new Set(senators.map(({ name }) => name)).size).toBe(100)
  expect(new Set(senators.map(({ phone }) => phone)).size).toBe(100)
  for (const { phone } of senators) expect(phone).toMatch(/^202-224-\d{4}$/)
  expect(senators.some(({ phone }) => phone === CAPITOL_SWITCHBOARD)).toBe(false)
})

test('the states stand in alphabetical order', () => {
  const names = SENATE.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
})

test('Georgia the country has no senators', () => {
  expect(ownState(SENATE, { country: 'US', region: 'Georgia' })?.code).toBe('GA')
  expect(ownState(SENATE, { country: 'GE', region: 'Georgia' })).toBeUndefined()
  expect(ownState(SENATE, { country: null, region: null })).toBeUndefined()
})

test.each([
  ['', 50],
  ['  ', 50],
  ['new', 4],
  ['tx', 1],
  ['lujan', 1],
  ['no such state', 0],
])('searching for %j finds %i', (typed, count) => {
  expect(matchingStates(SENATE, typed)).toHaveLength(count)
})
