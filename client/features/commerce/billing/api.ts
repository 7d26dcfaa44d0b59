import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { accessKeys } from '../../media/api.ts'
import { keys } from '../api.ts'
import { ownSubscriptionsKey } from '../parts/subscriptions/api.ts'

/** The logged-in person's payments. */
export const receiptsQuery = infiniteQueryOptions({
  // Below the transactions, so that a purchase makes both wrong.
  queryKey: [...keys.transactions, 'receipts'],
  queryFn: ({ pageParam, signal }) => call(routes.receipts, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** A cancellation may end access at once, where the paid period is over; the cards say what renews by them. */
const changes = [keys.billing, keys.subscriptions, ...accessKeys]

export function useCancelSubscription() {
  return useMutation({
    mutationFn: (subscriptionId: string) => call(routes.cancelSubscription, { body: { subscriptionId } }),
    meta: { invalidates: changes },
  })
}

/** Queries that another term invalidates. */
export const termChanges = { invalidates: [ownSubscriptionsKey] }

/** Agrees to a higher price, or declines it; what was shown is sent. */
export function useAnswerPriceChange() {
  return useMutation({
    mutationFn: (answer: { subscriptionId: string; agree: boolean; price: string }) =>
      call(routes.answerPriceChange, { body: answer }),
    meta: { invalidates: [keys.billing] },
  })
}

export function useResumeSubscription() {
  return useMutation({
    mutationFn: (subscriptionId: string) => call(routes.resumeSubscription, { body: { subscriptionId } }),
    meta: { invalidates: changes },
  })
}
