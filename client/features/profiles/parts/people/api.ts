import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'

/** The longest input of a search box for people, as on the server (`routes.searchUsers`). */
export const LONGEST_SEARCH = 60

/** People whose username contains the filter, page by page; everybody for an empty one. */
export function searchPeopleQuery(filter: string) {
  return infiniteQueryOptions({
    queryKey: [...roots.profiles, 'people', 'search', filter],
    queryFn: ({ pageParam, signal }) =>
      call(routes.searchUsers, { query: { filter, limit: 30, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? (page.nextCursor ?? undefined) : undefined),
  })
}

/** The first people of a search, to pick from; an empty filter is not asked. */
export function useFirstFound(filter: string) {
  return useInfiniteQuery({
    ...searchPeopleQuery(filter),
    enabled: filter !== '',
    select: ({ pages }) => pages[0]?.items ?? [],
  })
}

/** Blocks a person, or ends the block. Nothing that somebody blocked made is shown again from what was read before. */
export function useBlock() {
  return useMutation({
    mutationFn: ({ blockedId, blocked }: { blockedId: string; blocked: boolean }) =>
      blocked ? call(routes.block, { body: { blockedId } }) : call(routes.unblock, { body: { blockedId } }),
    meta: {
      invalidates: [roots.messaging],
      forgets: [roots.profiles, roots.media, roots.commerce],
    },
  })
}
