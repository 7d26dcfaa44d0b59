import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { EARNINGS_GROUPS } from '../../../../contract/promotion.ts'
import type { Output } from '../../../../contract/route.ts'
import type { attributionRoutes } from '../../../../contract/routes/promotion/attribution.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type EarningsGroup = (typeof EARNINGS_GROUPS)[number]
export type EarningsPage = Output<typeof attributionRoutes.postEarnings>
export type EarningsRow = EarningsPage['items'][number]
export type Earned = EarningsPage['total']

/** The query of earnings: a range, and the grouping. */
type Asked = { from: string; to?: string; by: EarningsGroup }

const own = [...roots.promotion, 'earnings'] as const
/** Whole days of hours in one page. */
const LIMIT = 30

/** The results of posts, the most earned first, with their total on every page. */
export function postEarningsQuery(asked: Asked) {
  return infiniteQueryOptions({
    queryKey: [...own, 'rows', asked],
    queryFn: ({ pageParam, signal }) =>
      call(routes.postEarnings, { query: { ...asked, limit: LIMIT, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The same, all of it, as a file. */
export const earningsFile = (asked: Asked) => call(routes.postEarningsFile, { query: asked })

/** The hours and subreddits that did best, with reasons. */
export const suggestionsQuery = queryOptions({
  queryKey: [...own, 'suggestions'],
  queryFn: ({ signal }) => call(routes.postSuggestions, { query: {} }, { signal }),
})
