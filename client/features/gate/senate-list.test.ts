import { expect, test } from 'vitest'
import { SENATE } from './senate.ts'
import { matchingStates, ownState, sharedTelephone } from './senate-list.ts'

test('each of the 50 states is there once, and the District of Columbia is not', () => {
  expect(new Set(SENATE.map(({ code }) => code)).size).toBe(50)
  expect(SENATE.some(({ code }) => code === 'DC')).toBe(false)
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

test('a number is said once only where all senators have the same', () => {
  const state = (...numbers: string[]) => ({ senators: numbers.map((telephone) => ({ telephone })) })
  expect(sharedTelephone([state('1', '1'), state('1')])).toBe('1')
  expect(sharedTelephone([state('1', '1'), state('2')])).toBeNull()
  expect(sharedTelephone([state()])).toBeNull()
})

test.each([
  ['', 50],
  ['  ', 50],
  ['new', 4],
  ['tx', 1],
  ['no such state', 0],
])('searching for %j finds %i', (typed, count) => {
  expect(matchingStates(SENATE, typed)).toHaveLength(count)
})
