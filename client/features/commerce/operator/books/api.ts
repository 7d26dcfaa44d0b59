import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../../contract/route.ts'
import type { adjustmentRoutes } from '../../../../../contract/routes/commerce/adjustments.ts'
import { call } from '../../../../lib/api.ts'
import { fetchFile } from '../../../../lib/files.ts'
import { routes } from '../../../../lib/routes.ts'
import type { Reauthenticate } from '../../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { moneyChanges } from '../api.ts'

export type Adjustment = Output<typeof adjustmentRoutes.adjustments>['items'][number]
export type Account = Adjustment['from']
export type Decision = Input<typeof adjustmentRoutes.decideAdjustment>['body']
export type NewAdjustment = Input<typeof adjustmentRoutes.proposeAdjustment>['body']

const [operators] = moneyChanges

/** The balances of the platform's own accounts. */
export const booksQuery = queryOptions({
  queryKey: [...operators, 'books'],
  queryFn: ({ signal }) => call(routes.books, {}, { signal }),
})

/** The result of a month; the present one unless another is named. */
export function booksMonthQuery(month?: string) {
  return queryOptions({
    queryKey: [...operators, 'books', 'month', month ?? 'now'],
    queryFn: ({ signal }) => call(routes.booksMonth, { query: { month } }, { signal }),
  })
}

/** The books of a month as a file. */
export function fetchBooksMonth(month: string) {
  return fetchFile(routes.booksMonthFile, { query: { month } })
}

/** The adjustments from outside documents. */
export function adjustmentsQuery(showing: 'open' | 'all') {
  return infiniteQueryOptions({
    queryKey: [...operators, 'adjustments', showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.adjustments, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Enters an adjustment; the same key again never enters it twice. */
export function sendAdjustment({ key, ...body }: NewAdjustment & { key: string }) {
  return call(routes.proposeAdjustment, { body }, { idempotencyKey: key })
}

export function useDecideAdjustment(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: Decision) => reauthenticate(() => call(routes.decideAdjustment, { body })),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
  })
}

/** All adjustments as a file. */
export function fetchAdjustments() {
  return fetchFile(routes.adjustmentsFile, {})
}
