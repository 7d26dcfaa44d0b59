import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { cardRoutes } from '../../../../contract/routes/commerce/cards.ts'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { keys, purchaseChanges } from '../api.ts'

export type StoredCard = Output<typeof cardRoutes.cards>['items'][number]
export type Retried = Pick<Output<typeof cardRoutes.addCard>, 'renewed' | 'stillPastDue'>

/** The logged-in person's stored cards, the last used first. */
export const cardsQuery = queryOptions({
  queryKey: [...keys.billing, 'cards'],
  queryFn: ({ signal }) => call(routes.cards, { query: {} }, { signal }),
  select: ({ items }) => items,
})

/** Stores a card, which may pay at once what is past due: a purchase like any other. */
export function useAddCard() {
  return useMutation({
    mutationFn: ({ key, ...body }: Input<typeof cardRoutes.addCard>['body'] & { key: string }) =>
      call(routes.addCard, { body }, { idempotencyKey: key }),
    // What is refused may have been paid in another window.
    meta: { invalidates: purchaseChanges, onFailure: [keys.billing] },
  })
}

export function useRemoveCard() {
  return useMutation({
    mutationFn: (cardId: string) => call(routes.removeCard, { body: { cardId } }),
    meta: { invalidates: [keys.billing] },
  })
}

export function useRenewByCard() {
  return useMutation({
    mutationFn: (body: Input<typeof cardRoutes.renewByCard>['body']) => call(routes.renewByCard, { body }),
    meta: { invalidates: purchaseChanges },
  })
}
