import { expect, test } from 'vitest'
import { newestSales } from './sales.ts'

test('what a creator bought from somebody else is not among their sales', () => {
  const transactions = [
    { _id: 'bought', creatorId: { _id: 'other' } },
    { _id: 'sold', creatorId: { _id: 'me' } },
  ]
  expect(newestSales(transactions, 'me').map(({ _id }) => _id)).toEqual(['sold'])
})
