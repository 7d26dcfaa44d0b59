import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { MAX_TRANSACTIONS_PAGE_SIZE } from '../../../../contract/constants.ts'
import type { SOURCES } from '../../../../contract/routes/commerce/earnings.ts'
import type {
  DayOfSales as DayOfSalesSchema,
  Transaction as TransactionSchema,
} from '../../../../contract/routes/commerce/ledger.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { ownTimeZone } from '../../../ui/own-time-zone.ts'
import { keys } from '../api.ts'

export type Transaction = z.output<typeof TransactionSchema>
export type Source = (typeof SOURCES)[number]
export type DayOfSales = z.output<typeof DayOfSalesSchema>

/** The logged-in person's sales and purchases. */
export const transactionsQuery = infiniteQueryOptions({
  queryKey: [...keys.transactions, 'all'],
  queryFn: ({ pageParam, signal }) =>
    call(
      routes.transactions,
      // A small first page; the next ones are larger.
      { query: { limit: pageParam === undefined ? 30 : MAX_TRANSACTIONS_PAGE_SIZE, cursor: pageParam } },
      { signal },
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.hasMore ? (page.nextCursor ?? undefined) : undefined),
})

/** The logged-in person's sales by day, in this browser's time zone; from the first sale unless told otherwise. */
export function earningsQuery(from: string | undefined) {
  const timeZone = ownTimeZone()
  return queryOptions({
    queryKey: [...keys.transactions, 'by-day', timeZone, from ?? ''],
    queryFn: ({ signal }) => call(routes.earnings, { query: { from, timeZone } }, { signal }),
    select: ({ days }) => days,
  })
}

/** Where what the logged-in person sold came from, in the same range. */
export function breakdownQuery(from: string | undefined) {
  const timeZone = ownTimeZone()
  return queryOptions({
    queryKey: [...keys.transactions, 'breakdown', timeZone, from ?? ''],
    queryFn: ({ signal }) => call(routes.earningsBreakdown, { query: { from, timeZone } }, { signal }),
  })
}

/** The finished months of which the logged-in person has a statement. */
export const statementsQuery = queryOptions({
  queryKey: [...keys.transactions, 'statements'],
  queryFn: ({ signal }) => call(routes.statements, { query: {} }, { signal }),
  select: ({ items }) => items,
})
