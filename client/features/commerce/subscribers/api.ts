import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { subscriberRoutes } from '../../../../contract/routes/commerce/subscribers.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type Subscriber = Output<typeof subscriberRoutes.subscribers>['items'][number]
type Days = Input<typeof subscriberRoutes.giveFreeDays>['body']
type Months = Input<typeof subscriberRoutes.extendSubscription>['body']

const own = [...roots.commerce, 'subscribers'] as const

/** The logged-in creator's subscribers: those who have access, or had it. */
export function subscribersQuery(showing: 'current' | 'ended', search: string) {
  return infiniteQueryOptions({
    queryKey: [...own, showing, search],
    queryFn: ({ pageParam, signal }) =>
      call(routes.subscribers, { query: { showing, search, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** A creator's locked items that an operator can unlock for a person, read again each time. */
export function unlockableQuery(creatorId: string, customerId: string) {
  return infiniteQueryOptions({
    queryKey: [...roots.media, 'unlockable', creatorId, customerId],
    queryFn: ({ pageParam, signal }) =>
      call(routes.unlockableMedia, { query: { creatorId, customerId, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  })
}

/** Queries that free time invalidates. */
export const giftChanges = [own] as const

/** Gives free days; the same key again never gives them twice. */
export function giveFreeDays({ key, ...body }: Days & { key: string }) {
  return call(routes.giveFreeDays, { body }, { idempotencyKey: key })
}

/** Extends a subscription; the same key again never extends it twice. */
export function extendSubscription({ key, ...body }: Months & { key: string }) {
  return call(routes.extendSubscription, { body }, { idempotencyKey: key })
}
