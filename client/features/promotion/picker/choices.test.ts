import { expect, test } from 'vitest'
import { moved, movedBack, placeOf } from './choices.ts'

const choices = { usable: ['Asters', 'Begonias'], discarded: ['Camellias'] }

test('a subreddit is in one place at most, whatever letters are capital', () => {
  expect(placeOf(choices, 'asters')).toBe('usable')
  expect(placeOf(choices, 'CAMELLIAS')).toBe('discarded')
  expect(placeOf(choices, 'Dahlias')).toBeNull()
  expect(moved(choices, ['begonias'], 'discarded')).toEqual({
    usable: ['Asters'],
    discarded: ['Camellias', 'begonias'],
  })
})

test('what moves comes last, and what is there already stays where it is', () => {
  expect(moved(choices, ['asters', 'Camellias', 'Dahlias', 'dahlias'], 'usable')).toEqual({
    usable: ['Asters', 'Begonias', 'Camellias', 'Dahlias'],
    discarded: [],
  })
})

test('what is taken out is in no place', () => {
  expect(moved(choices, ['ASTERS', 'Camellias'], null)).toEqual({ usable: ['Begonias'], discarded: [] })
})

test('taking a move back leaves what was chosen since', () => {
  const discarded = moved(choices, ['Asters', 'Dahlias'], 'discarded')
  const since = moved(discarded, ['Foxgloves'], 'usable')
  expect(movedBack(since, choices, ['Asters', 'Dahlias'])).toEqual({
    usable: ['Begonias', 'Foxgloves', 'Asters'],
    discarded: ['Camellias'],
  })
})
