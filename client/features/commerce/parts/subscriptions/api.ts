import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '../../../../../contract/route.ts'
import type { renewalRoutes } from '../../../../../contract/routes/commerce/renewals.ts'
import { call } from '../../../../lib/api.ts'
import { routes } from '../../../../lib/routes.ts'
import { keys } from '../../api.ts'

export type OwnSubscription = Output<typeof renewalRoutes.ownSubscriptions>['items'][number]

/** Below billing, so that what makes that wrong makes this wrong. */
export const ownSubscriptionsKey = [...keys.billing, 'subscriptions'] as const

/** The logged-in person's subscriptions: those that give access, or those that ended. */
export function ownSubscriptionsQuery(showing: 'current' | 'ended') {
  return infiniteQueryOptions({
    queryKey: [...ownSubscriptionsKey, showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.ownSubscriptions, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}
