import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Output } from '../../../contract/route.ts'
import type { bundleRoutes } from '../../../contract/routes/commerce/bundles.ts'
import type { Purchase as PurchaseSchema } from '../../../contract/routes/commerce/orders.ts'
import type { subscriptionRoutes } from '../../../contract/routes/commerce/subscriptions.ts'
import { call } from '../../lib/api.ts'
import { roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'
import { accessKeys } from '../media/api.ts'

export type Purchase = z.output<typeof PurchaseSchema>
export type Subscription = Output<typeof subscriptionRoutes.subscriptions>['subscriptions'][number]
export type Bundle = Output<typeof bundleRoutes.bundles>['bundles'][number]

/** Where what is sold and bought stands in the browser's memory. */
export const keys = {
  subscriptions: [...roots.commerce, 'subscriptions'],
  bundles: [...roots.commerce, 'bundles'],
  transactions: [...roots.commerce, 'transactions'],
  pickers: [...roots.commerce, 'picker'],
  offers: [...roots.commerce, 'offers'],
  /** What an open purchase dialog asks for. */
  openPurchase: [...roots.commerce, 'open-purchase'],
  /** Own subscriptions and stored cards. */
  billing: [...roots.commerce, 'billing'],
} as const

/**
 * Queries that a purchase, or a price that turned out to be different, invalidates: products, open offers, payments.
 */
export const purchaseChanges = [
  keys.subscriptions,
  keys.bundles,
  keys.transactions,
  keys.offers,
  keys.billing,
  ...accessKeys,
] as const

/** The subscriptions that a creator sells, with the viewing fan's own state. */
export function subscriptionsQuery(creatorId: string) {
  return queryOptions({
    queryKey: [...keys.subscriptions, 'of', creatorId],
    queryFn: ({ signal }) => call(routes.subscriptions, { query: { userId: creatorId } }, { signal }),
    select: ({ subscriptions }) => subscriptions,
  })
}

/** One subscription for sale. */
export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.subscriptions, id],
    queryFn: ({ signal }) => call(routes.subscription, { params: { id } }, { signal }),
  })
}

/** The bundles that the creator sells. Needs a login. */
export function bundlesQuery(creatorId: string) {
  return queryOptions({
    queryKey: [...keys.bundles, 'of', creatorId],
    queryFn: ({ signal }) => call(routes.bundles, { query: { creatorId } }, { signal }),
    select: ({ bundles }) => bundles,
  })
}
