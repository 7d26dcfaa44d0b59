import { expect, test } from 'vitest'
import { moved, movesBack, placeOf, settledAs, takable } from './choices.ts'

const choices = { usable: ['Asters', 'Begonias'], discarded: ['Camellias'] }

test('a subreddit is in one place at most, whatever letters are capital', () => {
  expect(placeOf(choices, 'asters')).toBe('usable')
  expect(placeOf(choices, 'CAMELLIAS')).toBe('discarded')
  expect(placeOf(choices, 'Dahlias')).toBeNull()
  expect(moved(choices, { names: ['begonias'], place: 'discarded' })).toEqual({
    usable: ['Asters'],
    discarded: ['Camellias', 'begonias'],
  })
})

test('what is on the timeline or was posted is settled, whatever letters are capital', () => {
  const settled = { onTimeline: ['Asters'], posted: ['Begonias'] }
  const names = ['asters', 'BEGONIAS', 'Camellias']
  expect(names.map((name) => settledAs(settled, name))).toEqual(['onTimeline', 'posted', null])
})

test('what moves comes last, and what is there already stays where it is', () => {
  expect(moved(choices, { names: ['asters', 'Camellias', 'Dahlias', 'dahlias'], place: 'usable' })).toEqual({
    usable: ['Asters', 'Begonias', 'Camellias', 'Dahlias'],
    discarded: [],
  })
})

test('what is taken out is in no place', () => {
  expect(moved(choices, { names: ['ASTERS', 'Camellias'], place: null })).toEqual({
    usable: ['Begonias'],
    discarded: [],
  })
})

test('taking a move back leaves what was chosen since', () => {
  const names = ['Asters', 'Dahlias']
  const discarded = moved(choices, { names, place: 'discarded' })
  const since = moved(discarded, { names: ['Foxgloves'], place: 'usable' })
  expect(movesBack(choices, names).reduce(moved, since)).toEqual({
    usable: ['Begonias', 'Foxgloves', 'Asters'],
    discarded: ['Camellias'],
  })
})

test('a name that the server would refuse keeps no other from being saved', () => {
  const long = 'a-name-that-is-longer-than-any'
  expect(takable({ usable: ['Asters', long, 'A-quiet-place-for-teapots'], discarded: ['what?!'] })).toEqual({
    choices: { usable: ['Asters', 'A-quiet-place-for-teapots'], discarded: [] },
    refused: [long, 'what?!'],
  })
})
