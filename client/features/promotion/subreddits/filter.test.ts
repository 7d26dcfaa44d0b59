import { describe, expect, test } from 'vitest'
import { activeCount, addressOf, filterOf, MAX_FILTER_TAGS, MAX_SEARCH } from './filter.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const nothing = filterOf(new URLSearchParams())

describe('the filter of subreddits in the address', () => {
  test.each([
    nothing,
    { ...nothing, search: 'a & b = c' },
    { ...nothing, srTagIds: [id(1), id(2)], sortBy: 'name' as const },
    {
      search: 'knits',
      srTagIds: [id(3)],
      verificationSetting: 'unset' as const,
      sellingAccountsAllowed: 'true' as const,
      ocSettings: 'noOc' as const,
      boyAndGirlRequired: 'false' as const,
      couplesOnly: 'true' as const,
      malesAllowed: 'unknown' as const,
      womenOnly: 'false' as const,
      categorized: 'no' as const,
      sortBy: 'subscribers' as const,
    },
  ])('%j comes back from the address that it makes', (filter) => {
    expect(filterOf(new URLSearchParams(addressOf(filter).toString()))).toEqual(filter)
  })

  test('nothing narrowed leaves the address bare', () => {
    expect(addressOf(nothing).size).toBe(0)
    expect(activeCount(nothing)).toBe(0)
  })

  test('search and order count as no filter, each tag and answer as one', () => {
    const filter = { ...nothing, search: 'knits', sortBy: 'name' as const }
    expect(activeCount(filter)).toBe(0)
    expect(activeCount({ ...filter, srTagIds: [id(1), id(2)], categorized: 'yes' })).toBe(3)
  })

  test('what the server would refuse counts as absent', () => {
    const address = new URLSearchParams({
      search: `a\u0000b${'x'.repeat(200)}`,
      couplesOnly: 'unknown',
      categorized: 'all',
      sortBy: 'age',
    })
    for (let number = 0; number < 40; number++) address.append('srTagIds', id(number))
    address.append('srTagIds', 'no id')
    const { search, srTagIds, ...rest } = filterOf(address)
    expect(search).toHaveLength(MAX_SEARCH)
    expect(search.startsWith('a bx')).toBe(true)
    expect(srTagIds).toEqual(Array.from({ length: MAX_FILTER_TAGS }, (_, number) => id(number)))
    expect(rest).toMatchObject({ couplesOnly: null, categorized: null, sortBy: 'subscribers' })
  })
})
