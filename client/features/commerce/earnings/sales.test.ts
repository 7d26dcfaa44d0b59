import { expect, test } from 'vitest'
import { newestSales, soldToday } from './sales.ts'

test('what a creator bought from somebody else is not among their sales', () => {
  const transactions = [
    { _id: 'bought', creatorId: { _id: 'other' } },
    { _id: 'sold', creatorId: { _id: 'me' } },
  ]
  expect(newestSales(transactions, 'me').map(({ _id }) => _id)).toEqual(['sold'])
})

const now = new Date(2026, 10, 22, 15)
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()

test('what was sold today counts from midnight to midnight of this clock, by the creator’s share', () => {
  const sales = [
    { transactionDate: at(22, 23), amount: '$10', share: '$8' },
    { transactionDate: at(22, 0), amount: '$1,000.50', share: '$800.40' },
    { transactionDate: at(22, 9), amount: '$3' },
    { transactionDate: at(21, 23), amount: '$50', share: '$40' },
  ]
  expect(soldToday(sales, now)).toEqual({ count: 3, share: '$811.40' })
  expect(soldToday([], now)).toEqual({ count: 0, share: '$0' })
})
