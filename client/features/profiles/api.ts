import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../contract/route.ts'
import type { commerceRoutes } from '../../../contract/routes/commerce.ts'
import type { profilesRoutes } from '../../../contract/routes/profiles.ts'
import { call } from '../../lib/api.ts'
import { routes } from '../../lib/routes.ts'

/** A person as others see them. */
export type Profile = Output<typeof profilesRoutes.profileByUsername>
export type Subscription = Output<typeof commerceRoutes.subscriptions>['subscriptions'][number]
export type Bundle = Output<typeof commerceRoutes.bundles>['bundles'][number]

export function profileQuery(username: string) {
  return queryOptions({
    queryKey: ['profiles', 'profile', username.toLowerCase()],
    queryFn: ({ signal }) => call(routes.profileByUsername, { params: { username } }, { signal }),
  })
}

/** The subscriptions that a creator sells, with the viewing fan's own state. */
export function subscriptionsQuery(creatorId: string) {
  return queryOptions({
    queryKey: ['profiles', 'subscriptions', creatorId],
    queryFn: ({ signal }) => call(routes.subscriptions, { query: { userId: creatorId } }, { signal }),
    select: ({ subscriptions }) => subscriptions,
  })
}

/** The bundles that a creator sells. Needs a log-in. */
export function bundlesQuery(creatorId: string) {
  return queryOptions({
    queryKey: ['profiles', 'bundles', creatorId],
    queryFn: ({ signal }) => call(routes.bundles, { query: { creatorId } }, { signal }),
    select: ({ bundles }) => bundles,
  })
}

/** Whether the logged-in person follows another. */
export function followQuery(followingId: string) {
  return queryOptions({
    queryKey: ['profiles', 'follow', followingId],
    queryFn: ({ signal }) => call(routes.isFollowing, { query: { followingId } }, { signal }),
    select: ({ following }) => following,
  })
}

/** Follows, or stops following. The new state shows at once and goes back if the call fails. */
export function useToggleFollow(followingId: string) {
  const client = useQueryClient()
  const { queryKey } = followQuery(followingId)
  return useMutation({
    mutationFn: () => call(routes.toggleFollow, { body: { followingId } }),
    onMutate: async () => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (state) => state && { following: !state.following })
      return { before }
    },
    onError: (_error, _input, context) => client.setQueryData(queryKey, context?.before),
    onSuccess: (answer) => client.setQueryData(queryKey, answer),
  })
}
