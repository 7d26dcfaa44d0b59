import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { referralRoutes } from '../../../../contract/routes/commerce/referrals.ts'
import type { subredditAffiliateRoutes } from '../../../../contract/routes/commerce/subreddit-affiliates.ts'
import type { sharedCodeRoutes } from '../../../../contract/routes/profiles/shared-codes.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type Figures = Output<typeof referralRoutes.referralFigures>
export type Commission = Output<typeof referralRoutes.commissions>['items'][number]
export type Subreddit = Output<typeof subredditAffiliateRoutes.subredditAffiliates>['items'][number]
export type SharedCode = Output<typeof sharedCodeRoutes.sharedCodes>['items'][number]

const own = [...roots.commerce, 'referrals'] as const
const codes = [...roots.profiles, 'shared-codes'] as const

export const figuresQuery = queryOptions({
  queryKey: [...own, 'figures'],
  queryFn: ({ signal }) => call(routes.referralFigures, { query: {} }, { signal }),
})

export const commissionsQuery = infiniteQueryOptions({
  queryKey: [...own, 'commissions'],
  queryFn: ({ pageParam, signal }) => call(routes.commissions, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** The codes that the logged-in person shares with others, or is invited to share. */
export function sharedCodesQuery(showing: 'own' | 'invitations') {
  return infiniteQueryOptions({
    queryKey: [...codes, showing],
    queryFn: ({ pageParam, signal }) =>
      call(routes.sharedCodes, { query: { showing, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The subreddits that the logged-in person referred to the subreddit program. */
export const subredditsQuery = infiniteQueryOptions({
  queryKey: [...own, 'subreddits'],
  queryFn: ({ pageParam, signal }) =>
    call(routes.subredditAffiliates, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
})

/** Queries that a changed code invalidates: sign-ups count by the codes that one shares. */
export const codeChanges = { invalidates: [codes], outdates: [own] }

/** Makes a code; the same key again never makes a second one. */
export const createSharedCode = ({
  key,
  ...body
}: Input<typeof sharedCodeRoutes.createSharedCode>['body'] & { key: string }) =>
  call(routes.createSharedCode, { body }, { idempotencyKey: key })

/** Takes the logged-in person out of a code, or declines an invitation to it. */
export function useLeaveCode() {
  return useMutation({
    mutationFn: (sharedRefId: string) => call(routes.leaveSharedCode, { body: { sharedRefId } }),
    meta: codeChanges,
  })
}

/** Makes the logged-in person take part in a code that they are invited to. */
export function useAcceptCode() {
  return useMutation({
    mutationFn: (sharedRefId: string) => call(routes.acceptSharedCode, { body: { sharedRefId } }),
    meta: codeChanges,
  })
}
