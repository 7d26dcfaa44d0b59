import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { keys, LINK_STALE_MS, listQuery } from '../api.ts'

/** Kinds of items that Your Content shows. */
export type Showing = 'all' | 'images' | 'videos'

/** Filters for the logged-in person's purchases and unlocked items. */
export type PremiumFilter = { showing: Showing; creator?: string | undefined; search?: string | undefined }

/** The logged-in person's purchases and other unlocked items. */
export function premiumContentQuery({ showing, creator, search }: PremiumFilter) {
  return listQuery(['premium', showing, creator ?? '', search ?? ''], (cursor, signal) =>
    call(routes.premiumContent, { query: { showing, creator, search, cursor } }, { signal }),
  )
}

/** The creators of all that. */
export const premiumCreatorsQuery = queryOptions({
  queryKey: [...keys.lists, 'premium-creators'],
  queryFn: ({ signal }) => call(routes.premiumCreators, { query: {} }, { signal }),
  select: ({ items }) => items,
})

/** The newest items of creators whom the logged-in person follows or subscribes to, under `newMediaKey`. */
export const newMediaQuery = listQuery(['new'], (cursor, signal) =>
  call(routes.newMedia, { query: { cursor } }, { signal }),
)

/** The content of a bundle, and the part that the logged-in person already owns. */
export function bundleInfoQuery(bundleId: string) {
  return queryOptions({
    queryKey: [...keys.bundles, bundleId],
    queryFn: ({ signal }) => call(routes.bundleInfo, { query: { bundleId, mediaIds: [] } }, { signal }),
    staleTime: LINK_STALE_MS,
    refetchOnWindowFocus: false,
  })
}
