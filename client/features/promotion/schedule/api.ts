import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type CANDIDATE_ORDERS, CANDIDATES_STEP } from '../../../../contract/promotion.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

type Page = Output<typeof scheduleRoutes.scheduleCandidates>
export type Candidate = Page['items'][number]
export type Check = Output<typeof scheduleRoutes.checkPost>
export type Submitted = Output<typeof scheduleRoutes.manualSubmit>
export type CandidateOrder = (typeof CANDIDATE_ORDERS)[number]

const own = [...roots.promotion, 'candidates'] as const
const timeline = [...roots.promotion, 'timeline'] as const
const queue = [...roots.promotion, 'queue'] as const
const posts = [...roots.promotion, 'posts'] as const

/** The candidates for scheduling, so many at a time, in subreddits whose name contains these letters, of all posts or one. */
export function candidatesQuery(subreddit: string, limit = CANDIDATES_STEP, postId: string | null = null) {
  return infiniteQueryOptions({
    queryKey: [...own, 'list', subreddit, limit, postId],
    queryFn: ({ pageParam, signal }) =>
      call(
        routes.scheduleCandidates,
        {
          query: {
            cursor: pageParam,
            limit,
            ...(subreddit ? { subreddit } : {}),
            ...(postId ? { postId } : {}),
          },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // The list is walked in rounds: what is scheduled meanwhile leaves it in place.
    refetchOnWindowFocus: false,
  })
}

/** The rules of a subreddit that a title, a flair and a time break, and the end of the queue. */
export function checkQuery(of: {
  postId: string
  subreddit: string
  title: string
  flairId: string
  /** Null for the end of the queue. */
  postTime: string | null
  accountId: string | null
  byHand: boolean
}) {
  const { flairId, postTime, accountId, byHand, ...rest } = of
  const query = {
    ...rest,
    ...(flairId ? { flairId } : {}),
    ...(postTime ? { postTime } : {}),
    ...(byHand ? { byHand: 'true' as const } : accountId ? { accountId } : {}),
  }
  return queryOptions({
    queryKey: [...queue, 'check', of],
    queryFn: ({ signal }) => call(routes.checkPost, { query }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Takes a candidate out of the lists that are shown, where it stands; none of them is read again for it. */
export function useLeave() {
  const client = useQueryClient()
  return ({ _id, subreddit }: Pick<Candidate, '_id' | 'subreddit'>) =>
    client.setQueriesData<InfiniteData<Page>>({ queryKey: [...own, 'list'] }, (known) => {
      const isIt = (item: Candidate) => item._id === _id && item.subreddit === subreddit
      if (!known?.pages.some(({ items }) => items.some(isIt))) return known
      const without = (page: Page) => ({
        ...page,
        count: page.count - 1,
        items: page.items.filter((item) => !isIt(item)),
      })
      return { ...known, pages: known.pages.map(without) }
    })
}

/** Queries elsewhere that a change on the timeline invalidates. */
export const scheduleChanges = { invalidates: [queue], outdates: [timeline, posts] }

export function useSubmit() {
  return useMutation({
    mutationFn: (body: Input<typeof scheduleRoutes.manualSubmit>['body']) =>
      call(routes.manualSubmit, { body }),
    meta: scheduleChanges,
  })
}

/** Which subreddits of each post come first. */
export function useOrder() {
  return useMutation({
    mutationFn: (candidateOrder: CandidateOrder) => call(routes.editQueue, { body: { candidateOrder } }),
    meta: { invalidates: [queue, [...own, 'list']] },
  })
}

/** Lets an account plan posts where the forum refused it. */
export function useReopen() {
  return useMutation({
    mutationFn: (body: Input<typeof scheduleRoutes.reopenSubreddit>['body']) =>
      call(routes.reopenSubreddit, { body }),
    meta: { invalidates: [queue] },
  })
}

export function useRemoveUsable() {
  return useMutation({
    mutationFn: (body: { postId: string; subreddit: string }) => call(routes.removeUsable, { body }),
    meta: { outdates: [posts] },
  })
}

/** Makes a subreddit usable for a post again, behind its others. */
export function useMakeUsable() {
  return useMutation({
    mutationFn: async ({ postId, subreddit }: { postId: string; subreddit: string }) => {
      const params = { redditPostId: postId }
      const { usableSubreddits } = await call(routes.post, { params })
      return call(routes.editPost, {
        params,
        body: { usableSubreddits: [...usableSubreddits, subreddit] },
      })
    },
    meta: { invalidates: [own], outdates: [posts] },
  })
}
