import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'

/** A few people whose username contains the filter; not asked for an empty one. */
export function findPeopleQuery(filter: string) {
  return queryOptions({
    queryKey: [...roots.profiles, 'people', 'few', filter],
    queryFn: ({ signal }) => call(routes.searchUsers, { query: { filter, limit: 5 } }, { signal }),
    select: ({ items }) => items.map(({ _id, username }) => ({ _id, username })),
    enabled: filter !== '',
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
