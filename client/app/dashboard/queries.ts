import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

/** The newest movements of money and the sums of all sales. */
export const recentTransactions = (userId: string) =>
  queryOptions({
    queryKey: ['transactions', userId, 'recent'],
    queryFn: ({ signal }) => call(routes.transactions, { query: { userId, limit: 4 } }, { signal }),
  })

/** Whether the creator has any media at all. */
export const anyMedia = (creatorId: string) =>
  queryOptions({
    queryKey: ['managemedia', creatorId, 'any'],
    queryFn: ({ signal }) => call(routes.manageMedia, { query: { creatorId, limit: 1 } }, { signal }),
    select: ({ items }) => items.length > 0,
  })

/** The subscriptions that the creator sells. */
export const ownSubscriptions = (userId: string) =>
  queryOptions({
    queryKey: ['subscriptions', userId],
    queryFn: ({ signal }) => call(routes.subscriptions, { query: { userId } }, { signal }),
  })

/** What the fan unlocked last. */
export const newestContent = (userId: string) =>
  queryOptions({
    queryKey: ['premiumcontent', userId, 'newest'],
    queryFn: ({ signal }) =>
      call(routes.premiumContent, { query: { userId, limit: 4, showing: 'all' } }, { signal }),
  })
