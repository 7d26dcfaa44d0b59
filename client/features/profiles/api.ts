import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../contract/route.ts'
import type { profileRoutes } from '../../../contract/routes/profiles/profiles.ts'
import { call } from '../../lib/api.ts'
import { chatsKey, invalidate, newMediaKey, roots } from '../../lib/query.ts'
import { routes } from '../../lib/routes.ts'

/** A person as others see them. */
export type Profile = Output<typeof profileRoutes.profileByUsername>

const profileKey = [...roots.profiles, 'profile'] as const

export function profileQuery(username: string) {
  return queryOptions({
    queryKey: [...profileKey, username.toLowerCase()],
    queryFn: ({ signal }) => call(routes.profileByUsername, { params: { username } }, { signal }),
  })
}

/** Whether the logged-in person follows another. */
export function followQuery(followingId: string) {
  return queryOptions({
    queryKey: [...roots.profiles, 'follow', followingId],
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
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer)
      if (answer.following) invalidate(client, [newMediaKey])
    },
    // In lists nothing moves: who was unfollowed by mistake is still there to be followed again. A profile says how many follow.
    meta: { invalidates: [chatsKey, profileKey], outdates: [roots.profiles, newMediaKey] },
  })
}
