import { expect, test } from 'vitest'
import { addressOf, filterOf, withTagTurned } from './filter.ts'

const ID = '01890000-0000-7000-8000-000000000001'

test('an address brings back the filter that it was made of', () => {
  const address = `in=all&search=tea&status=pending&verification=required&ocSettings=ocOnly&couplesOnly=true&tag=${ID}&list=${ID}&sortBy=name`
  expect(addressOf(filterOf(new URLSearchParams(address))).toString()).toBe(address)
})

test('what the server would refuse counts as absent', () => {
  const filter = filterOf(
    new URLSearchParams('womenOnly=maybe&status=maybe&verification=x&tag=1&not=&list=abc&sortBy=age&in=none'),
  )
  expect(addressOf(filter).toString()).toBe('')
})

test('a tag is required, then left out, then neither', () => {
  const required = withTagTurned({ withTags: [], withoutTags: [] }, ID)
  const leftOut = withTagTurned(required, ID)
  expect([required, leftOut, withTagTurned(leftOut, ID)]).toEqual([
    { withTags: [ID], withoutTags: [] },
    { withTags: [], withoutTags: [ID] },
    { withTags: [], withoutTags: [] },
  ])
})
