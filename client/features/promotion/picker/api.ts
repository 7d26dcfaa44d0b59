import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { addressOf, type PickerFilter } from './filter.ts'

/** A tracked subreddit with the person’s own verification. */
export type TrackedRow = Output<typeof subredditRoutes.searchSubreddits>['items'][number]

const own = [...roots.promotion, 'subreddits', 'picker'] as const
const PAGE_SIZE = 15

/** Tracked subreddits that match, in the order asked for. */
export function trackedQuery(filter: PickerFilter) {
  return infiniteQueryOptions({
    queryKey: [...own, addressOf(filter).toString()],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.searchSubreddits,
        {
          query: {
            limit: PAGE_SIZE,
            cursor: pageParam,
            search: filter.search,
            status: filter.status ?? undefined,
            verificationSetting: filter.verification ?? undefined,
            ...filter.rules,
            srTagIds: [...filter.withTags],
            excludeTagIds: [...filter.withoutTags],
            excludeListIds: [...filter.withoutLists],
            sortBy: filter.sortBy,
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Asks again for the tracked subreddits that are shown, where something made them wrong. */
export function useFreshTracked(): () => void {
  const client = useQueryClient()
  return () => void client.refetchQueries({ queryKey: own, type: 'active', stale: true })
}

type Position = { after: string | undefined; count: number }

/** The results of the forum’s own search, ten at a time. */
export function forumQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: [...roots.promotion, 'forum', 'search', search],
    queryFn: ({ pageParam: { after, count }, signal }) =>
      call(routes.searchForum, { query: { search, after, count } }, { signal }),
    initialPageParam: { after: undefined, count: 0 } as Position,
    getNextPageParam: (page, _pages, { count }): Position | undefined =>
      page.after === null ? undefined : { after: page.after, count: count + page.subreddits.length },
    enabled: search !== '',
    staleTime: 5 * 60_000,
    retry: false,
    // Each page is a request to the forum, whose number is limited.
    refetchOnWindowFocus: false,
  })
}
