import { expect, test } from 'vitest'
import { MAX_IMPORTED } from '../../../../contract/promotion.ts'
import { importsOf, namesIn } from './names.ts'

test('names are read however they were pasted, each once', () => {
  const pasted = `GardenPortraits, r/CozyKnits
/r/TeaCups/ https://www.reddit.com/r/RainyWindows/top
cozyknits;u_gardener
GardenPaths/`
  expect(namesIn(pasted)).toEqual({
    names: ['GardenPortraits', 'CozyKnits', 'TeaCups', 'RainyWindows', 'u_gardener', 'GardenPaths'],
    wrong: [],
  })
})

test('what is no name is told', () => {
  expect(namesIn('CozyKnits x what?!')).toEqual({ names: ['CozyKnits'], wrong: ['x', 'what?!'] })
})

test('nothing pasted is no names', () => {
  expect(namesIn(' \n ,; ')).toEqual({ names: [], wrong: [] })
})

test('many names are imported in parts that lose none', () => {
  const names = Array.from({ length: MAX_IMPORTED * 2 + 1 }, (_, at) => `Knits${at}`)
  const parts = importsOf(names)
  expect(parts.map(({ length }) => length)).toEqual([MAX_IMPORTED, MAX_IMPORTED, 1])
  expect(parts.flat()).toEqual(names)
  expect(importsOf([])).toEqual([])
})
