import { expect, test } from 'vitest'
import { SENATE } from './senate.ts'
import { matchingStates, ownState } from './senate-list.ts'

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

test.each([
  ['', 50],
  ['  ', 50],
  ['new', 4],
  ['tx', 1],
  ['no such state', 0],
])('searching for %j finds %i', (typed, count) => {
  expect(matchingStates(SENATE, typed)).toHaveLength(count)
})
