import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

const own = [...roots.promotion, 'forum'] as const

/** What the forum demands of posts in a subreddit, and its rules. */
export function requirementsQuery(name: string) {
  return queryOptions({
    queryKey: [...own, 'requirements', name.toLowerCase()],
    queryFn: ({ signal }) => call(routes.subredditRequirements, { query: { subreddit: name } }, { signal }),
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** The flair that a post in a subreddit can have. */
export function flairQuery(name: string) {
  return queryOptions({
    queryKey: [...own, 'flair', name.toLowerCase()],
    queryFn: ({ signal }) => call(routes.subredditFlair, { query: { subreddit: name } }, { signal }),
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** Reads a subreddit from the forum again. */
export function useRefresh(name: string) {
  return useMutation({
    mutationFn: () => call(routes.refreshSubreddit, { body: { subreddit: name } }),
    meta: {
      invalidates: [requirementsQuery(name).queryKey, flairQuery(name).queryKey],
      outdates: [[...roots.promotion, 'subreddits']],
    },
  })
}
