import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { bankDetailsRoutes } from '../../../../contract/routes/commerce/bank-details.ts'
import type { payoutRoutes } from '../../../../contract/routes/commerce/payouts.ts'
import type { referralRoutes } from '../../../../contract/routes/commerce/referrals.ts'
import type { statementRoutes } from '../../../../contract/routes/commerce/statements.ts'
import { call } from '../../../lib/api.ts'
import { fetchFile } from '../../../lib/files.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'

export type Balance = Output<typeof payoutRoutes.balance>
export type Payout = Output<typeof payoutRoutes.payouts>['items'][number]
export type BankDetails = NonNullable<Output<typeof bankDetailsRoutes.bankDetails>['details']>
export type AnyPayout = Output<typeof payoutRoutes.allPayouts>['items'][number]
export type PayoutExport = Output<typeof payoutRoutes.payoutExports>['items'][number]
export type DecisionValues = Input<typeof payoutRoutes.decidePayout>['body']

const own = [...roots.commerce, 'payouts'] as const
const everyones = [...roots.commerce, 'all-payouts'] as const

export const balanceQuery = queryOptions({
  queryKey: [...own, 'balance'],
  queryFn: ({ signal }) => call(routes.balance, { query: {} }, { signal }),
})

/** The logged-in person's payouts. */
export const payoutsQuery = infiniteQueryOptions({
  queryKey: [...own, 'list'],
  queryFn: ({ pageParam, signal }) => call(routes.payouts, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Everyone's payouts, as operators see them. */
export function allPayoutsQuery(showing: 'open' | 'all') {
  return infiniteQueryOptions({
    queryKey: [...everyones, showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.allPayouts, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The files that were made for the bank. */
export const payoutExportsQuery = infiniteQueryOptions({
  queryKey: [...everyones, 'exports'],
  queryFn: ({ pageParam, signal }) =>
    call(routes.payoutExports, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Where the logged-in person is paid, masked; null until they said it. */
export const bankDetailsQuery = queryOptions({
  queryKey: [...own, 'bank-details'],
  queryFn: ({ signal }) => call(routes.bankDetails, { query: {} }, { signal }),
  select: ({ details }) => details,
})

export function sendBankDetails(body: Input<typeof bankDetailsRoutes.saveBankDetails>['body']) {
  return call(routes.saveBankDetails, { body })
}

/** Anybody's statement, for operators. */
export function fetchStatement(body: Input<typeof statementRoutes.anyStatementFile>['body']) {
  return fetchFile(routes.anyStatementFile, { body })
}

/** Queries that a request for a payout invalidates. */
export const payoutChanges = [own, everyones] as const

/** Sends one request; the same key again never sets money aside twice. */
export function sendPayoutRequest({ amount, key }: { amount: string; key: string }): Promise<Payout> {
  return call(routes.requestPayout, { body: { amount } }, { idempotencyKey: key })
}

export function useDecidePayout(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: DecisionValues) => reauthenticate(() => call(routes.decidePayout, { body })),
    meta: { invalidates: payoutChanges, onFailure: payoutChanges },
  })
}

/** The approved payouts as a file; the same key again answers the same file. */
export function useExportPayouts(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: ({ key, reason }: { key: string; reason: string }) =>
      reauthenticate(() => call(routes.exportPayouts, { body: { reason } }, { idempotencyKey: key })),
    // An export whose answer was lost was made all the same.
    meta: { invalidates: payoutChanges, onFailure: payoutChanges },
  })
}

/** An earlier file again; it changes no payout. */
export function useDownloadExport(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: Input<typeof payoutRoutes.downloadPayoutExport>['body']) =>
      reauthenticate(() => call(routes.downloadPayoutExport, { body })),
    meta: { onFailure: payoutChanges },
  })
}

export function cancelCommissions(body: Input<typeof referralRoutes.cancelCommissions>['body']) {
  return call(routes.cancelCommissions, { body })
}
