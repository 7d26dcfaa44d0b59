import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from '../../../../contract/constants.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type TimelineItem = Output<typeof scheduleRoutes.timeline>['items'][number]
export type Queue = Output<typeof scheduleRoutes.queue>
type Asked = Pick<Input<typeof scheduleRoutes.timeline>['query'], 'from' | 'to' | 'state' | 'sortOrder'>

const own = [...roots.promotion, 'timeline'] as const
const queueKey = [...roots.promotion, 'queue'] as const

/** How often what is shown is asked for again, since the worker posts meanwhile. */
const REFRESH_MS = 30_000

/** What is on the timeline in a range or of a state. */
export function timelineQuery(asked: Asked) {
  return infiniteQueryOptions({
    queryKey: [...own, asked],
    queryFn: ({ pageParam, signal }) =>
      call(routes.timeline, { query: { ...asked, cursor: pageParam, limit: MAX_PAGE_SIZE } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })
}

/** The person’s rhythm, and whether their accounts post. */
export const queueQuery = queryOptions({
  queryKey: queueKey,
  queryFn: ({ signal }) => call(routes.queue, {}, { signal }),
  refetchInterval: REFRESH_MS,
})

/** What a changed item makes wrong: the timeline, and where its post can still be used. */
export const itemChanges = { invalidates: [own, queueKey], outdates: [roots.promotion] }
export const queueChanges = { invalidates: [queueKey] }

export function useCancelItem() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.cancelTimelineItem, { body: { itemId } }),
    meta: itemChanges,
  })
}

/** Puts back what was taken off the timeline, at its time, or at the end of the queue if that has come. */
export function useRestoreItem() {
  return useMutation({
    mutationFn: ({ postId, subreddit, title, comment, flairId, flairText, postTime, byHand }: TimelineItem) =>
      call(routes.createTimelineItem, {
        body: {
          postId,
          selectedSubreddit: subreddit,
          title,
          comment,
          flairId,
          flairText,
          byHand,
          postTime: Date.parse(postTime) > Date.now() ? postTime : 'endOfQueue',
        },
      }),
    meta: itemChanges,
  })
}

export function useReopenPair() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.reopenPair, { body: { itemId } }),
    meta: itemChanges,
  })
}

/** Moves everything scheduled from one moment to another by so many minutes. */
export function useMoveDay() {
  return useMutation({
    mutationFn: (body: { from: string; to: string; minutes: number }) => call(routes.moveDay, { body }),
    meta: itemChanges,
  })
}

export function useEditQueue() {
  return useMutation({
    mutationFn: (body: Input<typeof scheduleRoutes.editQueue>['body']) => call(routes.editQueue, { body }),
    meta: queueChanges,
  })
}

export function useStopAccount() {
  return useMutation({
    mutationFn: (body: { accountId: string; stopped: boolean }) => call(routes.stopAccount, { body }),
    meta: queueChanges,
  })
}
