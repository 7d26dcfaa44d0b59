import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { offerRoutes } from '../../../../contract/routes/commerce/offers.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { forgetWish } from '../../../lib/wish.ts'
import { accessKeys } from '../../media/api.ts'
import { keys } from '../api.ts'

export type OfferPage = Output<typeof offerRoutes.offer>
export type Offer = OfferPage['offer']
export type OwnOffer = Output<typeof offerRoutes.offers>['items'][number]
type NewOffer = Input<typeof offerRoutes.createOffer>['body']

/** A creator's own offers, newest first. */
export const ownOffersQuery = infiniteQueryOptions({
  queryKey: [...keys.offers, 'own'],
  queryFn: ({ pageParam, signal }) => call(routes.offers, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** An offer, and what its page shows to the viewer. */
export function offerQuery(offerId: string) {
  return queryOptions({
    queryKey: [...keys.offers, 'one', offerId],
    queryFn: ({ signal }) => call(routes.offer, { params: { offerId } }, { signal }),
  })
}

export const createOffer = ({ key, ...body }: NewOffer & { key: string }) =>
  call(routes.createOffer, { body }, { idempotencyKey: key })

export function useEndOffer() {
  return useMutation({
    mutationFn: (offerId: string) => call(routes.endOffer, { body: { offerId } }),
    meta: { invalidates: [keys.offers] },
  })
}

export function useDeleteOffer() {
  return useMutation({
    mutationFn: (offerId: string) => call(routes.deleteOffer, { body: { offerId } }),
    meta: { invalidates: [keys.offers] },
  })
}

/** Redeems a free offer; what it unlocks is shown from then on. */
export function useRedeemOffer(offerId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => call(routes.redeemOffer, { body: { offerId } }, { idempotencyKey: key }),
    onSuccess: async (answer) => {
      forgetWish()
      const { queryKey } = offerQuery(offerId)
      // What was asked for before, as after a second click that was refused, would show the offer as it was.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, answer)
    },
    meta: {
      outdates: [keys.subscriptions, keys.bundles, [...roots.commerce, 'billing'], ...accessKeys],
      // A refusal says that the page shows what is no longer so.
      onFailure: [offerQuery(offerId).queryKey],
    },
  })
}

const viewed = new Set<string>()

/** Counts a view of an offer, once until the page is loaded again; a failure is ignored. */
export function countView(offerId: string): void {
  if (viewed.has(offerId)) return
  viewed.add(offerId)
  void call(routes.viewOffer, { body: { offerId } }).catch(() => {})
}
