import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { centsOf, formatMoney } from '../../../../contract/money.ts'
import type { Input } from '../../../../contract/route.ts'
import type {
  customRequestRoutes,
  CustomRequest as Request,
} from '../../../../contract/routes/messaging/custom-requests.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Buyable } from '../../commerce/parts/buyable.ts'
import { keys } from '../api.ts'
import type { Message } from '../cache/timeline.ts'
import { requestTexts } from './texts.ts'

export type CustomRequest = z.output<typeof Request>
/** The agreed terms of a request, as its message shows them. */
export type RequestTerms = NonNullable<Message['customRequest']>
export type RequestState = RequestTerms['state']

/** The fan's offer for all of it. */
export const offerOf = ({ maxMinutes, pricePerMinute }: RequestTerms) =>
  formatMoney(maxMinutes * centsOf(pricePerMinute))

/** Queries that a change of a request invalidates: the conversation asks only for changes since. */
export const requestChanges = [roots.messaging] as const

/** The person's requests: those they got as a creator, or those they sent. */
export function customsQuery(side: 'received' | 'sent') {
  const isCreator = side === 'received' ? 'true' : 'false'
  return infiniteQueryOptions({
    queryKey: [...keys.customs, side],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(routes.customRequests, { query: { filterType: 'creators', isCreator, cursor } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

type Asking = Input<typeof customRequestRoutes.createCustomRequest>['body']

/** Asks a creator for something custom; the same key again never asks twice. */
export function sendRequest({ key, ...body }: Asking & { key: string }) {
  return call(routes.createCustomRequest, { body }, { idempotencyKey: key })
}

/** What a request is delivered with, and the keys of the uploads among it. */
type Delivery = { requestId: string; mediaIds: string[]; uploadKeys: readonly string[] }

/** Delivers a paid request with these items. What then happens does also where the request isn't shown anymore. */
export function useDeliver(then: {
  onSuccess: (answer: unknown, delivery: Delivery) => void
  onError: (failure: Error) => void
}) {
  return useMutation({
    ...then,
    mutationFn: ({ requestId, mediaIds }: Delivery) =>
      call(routes.deliverCustomRequest, { body: { requestId, mediaIds } }),
    meta: { invalidates: requestChanges },
  })
}

/** Deletes a request of one's own. */
export function useDeleteRequest() {
  return useMutation({
    mutationFn: (requestId: string) => call(routes.deleteCustomRequest, { body: { requestId } }),
    meta: { invalidates: requestChanges },
  })
}

/** An accepted request as what the purchase dialog sells. */
export function requestOf(
  { _id: itemId, price, deliveryDays }: Pick<RequestTerms, '_id' | 'price' | 'deliveryDays'>,
  creatorUsername: string,
): Buyable {
  return {
    kind: 'custom',
    itemId,
    title: requestTexts.forSale(creatorUsername),
    price: price ?? '',
    creatorUsername,
    ...(deliveryDays === null ? {} : { deliveryDays }),
  }
}
