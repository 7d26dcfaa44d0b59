import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { disputeRoutes } from '../../../../contract/routes/commerce/disputes.ts'
import type { paymentRoutes } from '../../../../contract/routes/commerce/payments.ts'
import type { reconciliationRoutes } from '../../../../contract/routes/commerce/reconciliation.ts'
import type { refundRoutes } from '../../../../contract/routes/commerce/refunds.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'

export type Payment = Output<typeof paymentRoutes.payments>['items'][number]
export type PaymentDetail = Output<typeof paymentRoutes.payment>
export type Dispute = Output<typeof disputeRoutes.disputes>['items'][number]
export type Evidence = Output<typeof disputeRoutes.disputeEvidence>
export type Finding = Output<typeof reconciliationRoutes.findings>['items'][number]
export type Settlement = Output<typeof reconciliationRoutes.settlements>['items'][number]
type NewRefund = Input<typeof refundRoutes.refund>['body']
type GivenOutside = Input<typeof refundRoutes.refundOutside>['body']
type SendingOutside = Input<typeof refundRoutes.sendOutside>['body']
type NewDispute = Input<typeof disputeRoutes.openDispute>['body']
type Resolution = Input<typeof reconciliationRoutes.resolveFinding>['body']
type DisputeDecision = Input<typeof disputeRoutes.decideDispute>['body']

const everyones = [...roots.commerce, 'operator'] as const

type Sought = { search: string; status: Payment['status'] | null }

/** Every order with its payment, or those that a search names, or whose payment stands so. */
export function paymentsQuery({ search, status }: Sought) {
  const query = { ...(search ? { search } : {}), ...(status ? { status } : {}) }
  return infiniteQueryOptions({
    queryKey: [...everyones, 'payments', query],
    queryFn: ({ pageParam, signal }) =>
      call(routes.payments, { query: { cursor: pageParam, ...query } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** One order with all that happened to it. */
export function paymentQuery(transactionId: string) {
  return queryOptions({
    queryKey: [...everyones, 'payment', transactionId],
    queryFn: ({ signal }) => call(routes.payment, { params: { transactionId } }, { signal }),
  })
}

/** How payments differ from what the gateway charged. */
export const findingsQuery = queryOptions({
  queryKey: [...everyones, 'findings'],
  queryFn: ({ signal }) => call(routes.findings, {}, { signal }),
  // One that was explained goes by a comparison, a moment after what explains it was entered.
  refetchInterval: ({ state }) => (state.data?.items.length ? 15_000 : false),
})

/** The gateway's settled batches. */
export const settlementsQuery = infiniteQueryOptions({
  queryKey: [...everyones, 'settlements'],
  queryFn: ({ pageParam, signal }) => call(routes.settlements, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Charges that the gateway would not take back. */
export const stuckChargesQuery = queryOptions({
  queryKey: [...everyones, 'stuck'],
  queryFn: ({ signal }) => call(routes.stuckCharges, {}, { signal }),
})

/** Payments that somebody has to decide at the gateway. */
export const undecidedQuery = queryOptions({
  queryKey: [...everyones, 'undecided'],
  queryFn: ({ signal }) => call(routes.undecidedPayments, {}, { signal }),
})

export function disputesQuery(showing: 'open' | 'all') {
  return infiniteQueryOptions({
    queryKey: [...everyones, 'disputes', showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.disputes, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

export const disputeRatioQuery = queryOptions({
  queryKey: [...everyones, 'ratio'],
  queryFn: ({ signal }) => call(routes.disputeRatio, {}, { signal }),
})

export function evidenceQuery(disputeId: string) {
  return queryOptions({
    queryKey: [...everyones, 'evidence', disputeId],
    queryFn: ({ signal }) => call(routes.disputeEvidence, { params: { disputeId } }, { signal }),
  })
}

/** Queries that a refund or a dispute invalidates. */
export const moneyChanges = [everyones] as const

/** Gives a payment back; the same key again never sends it twice. */
export function sendRefund({ key, ...body }: NewRefund & { key: string }) {
  return call(routes.refund, { body }, { idempotencyKey: key })
}

/** Begins to send a refused refund another way, or takes that back. */
export function useSendOutside(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: SendingOutside) => reauthenticate(() => call(routes.sendOutside, { body })),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
  })
}

/** Records that it was given back so; the same key again never records it twice. */
export function recordOutside({ key, ...body }: GivenOutside & { key: string }) {
  return call(routes.refundOutside, { body }, { idempotencyKey: key })
}

/** Records a dispute; the same key again never records it twice. */
export function sendDispute({ key, ...body }: NewDispute & { key: string }) {
  return call(routes.openDispute, { body }, { idempotencyKey: key })
}

export function useDecideDispute(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: DisputeDecision) => reauthenticate(() => call(routes.decideDispute, { body })),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
  })
}

/** Makes the logged-in operator the one who takes care of a difference. */
export function takeFinding(findingId: string) {
  return call(routes.takeFinding, { body: { findingId } })
}

export function useResolveFinding(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: Resolution) => reauthenticate(() => call(routes.resolveFinding, { body })),
    meta: { invalidates: moneyChanges, onFailure: moneyChanges },
  })
}
