import { queryOptions } from '@tanstack/react-query'
import type { Input } from '../../../../contract/route.ts'
import type { orderRoutes } from '../../../../contract/routes/commerce/orders.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { keys, type Purchase } from '../api.ts'

type PurchaseBody = Input<typeof orderRoutes.purchase>['body']

/** The purchase of this item that is still being decided, if there is one. */
export function openPurchaseQuery(kind: Purchase['kind'], itemId: string) {
  return queryOptions({
    queryKey: [...keys.openPurchase, kind, itemId],
    queryFn: ({ signal }) => call(routes.openPurchase, { query: { kind, itemId } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** How a purchase stands, asked again every three seconds while nobody knows. */
export function purchaseStatusQuery(purchaseId: string) {
  return queryOptions({
    queryKey: [...roots.commerce, 'purchase', purchaseId],
    queryFn: ({ signal }) => call(routes.purchaseStatus, { params: { purchaseId } }, { signal }),
    refetchInterval: ({ state }) => (state.data && isUndecided(state.data) ? 3_000 : false),
  })
}

/** True while the purchase may still end either way. */
export function isUndecided(purchase: Purchase): boolean {
  return ['created', 'submitting', 'held', 'unknown'].includes(purchase.status)
}

/** Sends one attempt. The same key and body again asks for the answer of the same attempt and never charges twice. */
export function sendPurchase(attempt: { key: string; body: PurchaseBody }): Promise<Purchase> {
  return call(routes.purchase, { body: attempt.body }, { idempotencyKey: attempt.key })
}
