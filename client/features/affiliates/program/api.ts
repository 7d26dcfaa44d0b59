import { infiniteQueryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { subredditAffiliateRoutes } from '../../../../contract/routes/commerce/subreddit-affiliates.ts'
import { type CallOptions, call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import type { Reauthenticate } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'

export type Application = Output<typeof subredditAffiliateRoutes.allSubredditAffiliates>['items'][number]
export type Showing = 'open' | 'held' | 'all'
type Decision = Input<typeof subredditAffiliateRoutes.decideSubreddit>['body']
type Payment = Input<typeof subredditAffiliateRoutes.paySubredditShare>['body']

const program = [...roots.commerce, 'subreddit-program'] as const

/** Everyone's subreddits: those to be decided, those whose own share is held, or all. */
export function applicationsQuery(showing: Showing) {
  return infiniteQueryOptions({
    queryKey: [...program, showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.allSubredditAffiliates, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** Makes sure that a decision of the next few seconds is taken. */
export function beginDecision(reauthenticate: Reauthenticate) {
  return reauthenticate(() => call(routes.checkReauthentication))
}

export function useDecideSubreddit(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: ({ options, ...body }: Decision & { options: CallOptions }) =>
      reauthenticate(() => call(routes.decideSubreddit, { body }, options)),
    meta: { invalidates: [program], onFailure: [program] },
  })
}

export function usePayShare(reauthenticate: Reauthenticate) {
  return useMutation({
    mutationFn: (body: Payment) => reauthenticate(() => call(routes.paySubredditShare, { body })),
    meta: { invalidates: [program] },
  })
}
