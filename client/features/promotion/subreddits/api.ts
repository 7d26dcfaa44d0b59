import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { addressOf, type SubredditFilter } from './filter.ts'
import { importsOf } from './names.ts'

/** The facts about a subreddit. */
export type Subreddit = Output<typeof subredditRoutes.subreddit>
/** A row of the table. */
export type SubredditRow = Output<typeof subredditRoutes.searchCategorizedSubreddits>['items'][number]

const own = [...roots.promotion, 'subreddits'] as const
const PAGE_SIZE = 15

/** Tracked subreddits that match, in the order asked for. */
export function tableQuery(filter: SubredditFilter) {
  return infiniteQueryOptions({
    queryKey: [...own, 'table', addressOf(filter).toString()],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.searchCategorizedSubreddits,
        {
          query: {
            limit: PAGE_SIZE,
            cursor: pageParam,
            sortBy: filter.sortBy,
            search: filter.search,
            srTagIds: [...filter.srTagIds],
            categorized: filter.categorized ?? 'all',
            verificationSetting: filter.verificationSetting ?? undefined,
            sellingAccountsAllowed: filter.sellingAccountsAllowed ?? undefined,
            ocSettings: filter.ocSettings ?? undefined,
            boyAndGirlRequired: filter.boyAndGirlRequired ?? undefined,
            couplesOnly: filter.couplesOnly ?? undefined,
            malesAllowed: filter.malesAllowed ?? undefined,
            womenOnly: filter.womenOnly ?? undefined,
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The facts about one subreddit. */
export function subredditQuery(name: string) {
  return queryOptions({
    queryKey: [...own, 'one', name.toLowerCase()],
    queryFn: ({ signal }) => call(routes.subreddit, { params: { subreddit: name } }, { signal }),
    // The operator's form begins with what is there now.
    gcTime: 0,
  })
}

/** The tags of subreddits, by name. */
export const tagsQuery = queryOptions({
  queryKey: [...own, 'tags'],
  queryFn: ({ signal }) => call(routes.subredditTags, {}, { signal }),
  staleTime: 5 * 60_000,
})

/** Queries that changed notes on a subreddit invalidate. */
export const subredditChanges = { invalidates: [own], outdates: [roots.promotion] }
export const tagChanges = { invalidates: [tagsQuery.queryKey] }

/** Tracks subreddits by name and has the forum read for them, also for those that are tracked; answers how many are new. */
export async function importNames(names: readonly string[]): Promise<{ added: number }> {
  let added = 0
  for (const part of importsOf(names)) {
    const answer = await call(routes.importSubreddits, { body: { names: part } })
    added += answer.added
  }
  return { added }
}

export function useImport() {
  return useMutation({ mutationFn: importNames, meta: subredditChanges })
}

/** Stops tracking a subreddit that no creator uses. */
export function useDeleteSubreddit() {
  return useMutation({
    mutationFn: (srName: string) => call(routes.deleteSubreddit, { body: { srName } }),
    meta: { ...subredditChanges, forgets: [[...own, 'one']] },
  })
}
