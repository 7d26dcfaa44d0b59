import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { followingRoutes } from '../../../../contract/routes/profiles/following.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { followQuery } from '../api.ts'

type PeoplePage = Output<typeof followingRoutes.following>
/** A person in a list. */
export type Listed = PeoplePage['items'][number]

/** A list of people that grows page by page. */
function peopleQuery(
  name: readonly string[],
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<PeoplePage>,
) {
  return infiniteQueryOptions({
    queryKey: [...roots.profiles, 'people', ...name],
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? (page.nextCursor ?? undefined) : undefined),
  })
}

export type PeopleQuery = ReturnType<typeof peopleQuery>

/**
 * Creators whom the logged-in person follows, newest first. Each follow button takes its state from here, so that
 * none makes a call.
 */
export function useFollowingQuery(): PeopleQuery {
  const client = useQueryClient()
  return peopleQuery(['following'], async (cursor, signal) => {
    const page = await call(routes.following, { query: { cursor } }, { signal })
    for (const { _id } of page.items) client.setQueryData(followQuery(_id).queryKey, { following: true })
    return page
  })
}

/** People whom the logged-in person blocked, newest first. */
export const blockedQuery = peopleQuery(['blocked'], (cursor, signal) =>
  call(routes.blocked, { query: { cursor } }, { signal }),
)

/** A few creators whom the logged-in person doesn’t follow; each follow button takes its state from here. */
export const creatorsToFollowQuery = queryOptions({
  queryKey: [...roots.profiles, 'to-follow'],
  queryFn: async ({ client, signal }) => {
    const answer = await call(routes.creatorsToFollow, {}, { signal })
    for (const { _id } of answer.items) client.setQueryData(followQuery(_id).queryKey, { following: false })
    return answer
  },
  select: ({ items }) => items,
})

/** Suspends an account, or reinstates it; the operator confirms that it's them first. Lists and profiles are loaded again. */
export function useSuspend(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: ({ suspended, ...body }: { userId: string; reason: string; suspended: boolean }) =>
      reauthenticate(() =>
        suspended ? call(routes.suspendPerson, { body }) : call(routes.reinstatePerson, { body }),
      ),
    // Queries of their media and products, which are hidden or shown again.
    meta: { invalidates: [roots.profiles], outdates: [roots.media, roots.commerce] },
  })
}
