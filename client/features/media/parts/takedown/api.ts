import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'

/** What taking an item down, or releasing it, makes wrong. */
export const takedownChanges = { invalidates: [roots.media], outdates: [roots.commerce] }

/** Why an item is down, for operators, and its copies. */
export function takedownQuery(mediaId: string) {
  return queryOptions({
    queryKey: ['takedown', mediaId],
    queryFn: ({ signal }) => call(routes.takedown, { query: { mediaId } }, { signal }),
    // Asked at each opening, as another operator may have decided, and not while somebody types.
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** Takes a takedown back. */
export function useReleaseMedia(mediaId: string) {
  return useMutation({
    mutationFn: (reason: string) => call(routes.releaseMedia, { body: { mediaId, reason } }),
    meta: takedownChanges,
  })
}
