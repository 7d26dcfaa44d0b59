import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { subredditListRoutes } from '../../../../contract/routes/promotion/lists.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { may, type Person } from '../../../lib/session.tsx'

/** A list as its overview shows it, with the first few of its subreddits. */
export type ListInShort = Output<typeof subredditListRoutes.subredditLists>['items'][number]
/** A list with all its subreddits. */
export type SubredditList = Output<typeof subredditListRoutes.subredditList>

const own = [...roots.promotion, 'lists'] as const
/** Tables of subreddits leave out what lists remove from search. */
const searches = [...roots.promotion, 'subreddits'] as const

/** The person’s own lists and the site-wide ones, by title. */
export const listsQuery = queryOptions({
  queryKey: [...own, 'all'],
  queryFn: ({ signal }) => call(routes.subredditLists, { query: { getSiteWide: 'true' } }, { signal }),
})

/** One list with all its subreddits. */
export function listQuery(listId: string) {
  return queryOptions({
    queryKey: [...own, 'one', listId],
    queryFn: ({ signal }) => call(routes.subredditList, { params: { listId } }, { signal }),
    // A form begins with what is there now: the subreddits that it sends replace all of them.
    gcTime: 0,
  })
}

/** Tracked subreddits whose name contains the search, those removed from search too, the largest first. Only creators may call the first of the two. */
export function addableQuery(search: string, isCreator: boolean) {
  return infiniteQueryOptions({
    queryKey: [...searches, 'addable', search, isCreator],
    queryFn: ({ pageParam, signal }) => {
      const query = { search, cursor: pageParam, withRemoved: 'true' as const }
      return isCreator
        ? call(routes.searchSubreddits, { query }, { signal })
        : call(routes.searchCategorizedSubreddits, { query }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Queries that a changed list invalidates. */
export const listChanges = { invalidates: [own], outdates: [searches] }

/** Deletes a list, which may be gone already; its subreddits stay tracked. */
export function useDeleteList() {
  return useMutation({
    mutationFn: (listId: string) =>
      call(routes.deleteSubredditList, { body: { listId } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'subreddit_list_not_found')) throw error
      }),
    meta: listChanges,
  })
}

/** Puts further subreddits on a list. Throws `subreddits_full` where they are too many. */
export function useAddToList() {
  return useMutation({
    mutationFn: async ({ listId, names }: { listId: string; names: readonly string[] }) => {
      const { subreddits } = await call(routes.subredditList, { params: { listId } })
      const body = { listId, subreddits: withNames(subreddits, names) }
      return call(routes.updateSubredditList, { body })
    },
    meta: listChanges,
  })
}

/** Names with further ones, each once whatever its case, in order. */
export function withNames(before: readonly string[], added: readonly string[]): string[] {
  const names = new Map([...added, ...before].map((name) => [name.toLowerCase(), name]))
  return [...names].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name)
}

/** Names without those that the server left out. */
export function withoutRefused(names: readonly string[], refused: readonly { name: string }[]): string[] {
  const out = new Set(refused.map(({ name }) => name.toLowerCase()))
  return names.filter((name) => !out.has(name.toLowerCase()))
}

/** Whether somebody may change a list: everybody their own, and site-wide ones who keeps the subreddits. */
export function mayEdit(person: Person, list: { siteWide: boolean }): boolean {
  return !list.siteWide || may(person, 'subreddits.edit')
}
