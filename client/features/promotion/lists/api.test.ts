import { describe, expect, test } from 'vitest'
import { withNames, withoutRefused } from './api.ts'

describe('names of a list', () => {
  test('stand in order, whatever their case', () => {
    expect(withNames(['TeaCups', 'cozyKnits'], ['Art'])).toEqual(['Art', 'cozyKnits', 'TeaCups'])
  })

  test('stand there once, as the list has them', () => {
    expect(withNames(['CozyKnits'], ['cozyknits', 'TeaCups', 'teacups'])).toEqual(['CozyKnits', 'teacups'])
  })

  test('stay as they are when nothing is added', () => {
    expect(withNames(['Art', 'Books'], [])).toEqual(['Art', 'Books'])
  })

  test('go where the server left them out, whatever their case', () => {
    expect(withoutRefused(['Art', 'CozyKnits'], [{ name: 'cozyknits' }])).toEqual(['Art'])
  })
})
