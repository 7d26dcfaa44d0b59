import { expect, test } from 'vitest'
import { AS_IT_COMES } from './arrange.ts'
import { arrangedAddress, arrangementOf } from './use-arrangement.ts'

test.each([
  ['', AS_IT_COMES],
  ['?sort=name', { ...AS_IT_COMES, sort: { column: 'name', descending: false } }],
  [
    '?sort=-name&search=red+hat&only=done',
    { sort: { column: 'name', descending: true }, search: 'red hat', only: 'done' },
  ],
  ['?sort=-&search=%00', { ...AS_IT_COMES, search: ' ' }],
])('the address %s', (address, arrangement) => {
  expect(arrangementOf(new URLSearchParams(address))).toEqual(arrangement)
})

test('an address keeps what else stands in it, and says nothing of what is as it comes', () => {
  const address = new URLSearchParams('?view=table&search=old')
  const arranged = arrangedAddress(address, {
    sort: { column: 'name', descending: true },
    search: '',
    only: 'x',
  })
  expect(`${arranged}`).toBe('view=table&sort=-name&only=x')
  expect(`${arrangedAddress(arranged, AS_IT_COMES)}`).toBe('view=table')
})
