import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Output } from '../../../../contract/route.ts'
import type { forumAccountRoutes } from '../../../../contract/routes/promotion/accounts.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

const own = [...roots.promotion, 'forum'] as const

/** The forum's requirements of posts in a subreddit, and its rules. */
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

/** Recent changes of a subreddit on the forum, newest first. */
export function changesQuery(name: string) {
  return queryOptions({
    queryKey: [...own, 'changes', name.toLowerCase()],
    queryFn: ({ signal }) => call(routes.subredditChanges, { params: { subreddit: name } }, { signal }),
  })
}

/** Reads a subreddit from the forum again. */
export function useRefresh(name: string) {
  return useMutation({
    mutationFn: () => call(routes.refreshSubreddit, { body: { subreddit: name } }),
    meta: {
      invalidates: [requirementsQuery(name).queryKey, flairQuery(name).queryKey, changesQuery(name).queryKey],
      outdates: [[...roots.promotion, 'subreddits']],
    },
  })
}

export type ForumAccount = Output<typeof forumAccountRoutes.forumAccounts>['items'][number]

/** The person’s forum accounts, the first connected first. */
export const accountsQuery = queryOptions({
  queryKey: [...roots.promotion, 'accounts'],
  queryFn: ({ signal }) => call(routes.forumAccounts, {}, { signal }),
})

/** Goes to the forum’s page that asks for permission. */
export function useConnect() {
  return useMutation({
    mutationFn: async () => {
      const { url } = await call(routes.authorizeForum, {})
      window.location.assign(url)
    },
  })
}
