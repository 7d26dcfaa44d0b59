import {
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { MAX_PAGE_SIZE } from '../../../../contract/constants.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { connection } from '../../../lib/socket.ts'
import { accountsQuery } from '../parts/api.ts'

type Page = Output<typeof scheduleRoutes.timeline>
export type TimelineItem = Page['items'][number]
export type Queue = Output<typeof scheduleRoutes.queue>
type Asked = Pick<
  Input<typeof scheduleRoutes.timeline>['query'],
  'from' | 'overdue' | 'to' | 'postId' | 'state' | 'sortOrder'
>

const own = [...roots.promotion, 'timeline'] as const
const queueKey = [...roots.promotion, 'queue'] as const

/** How often what is shown is asked for again while no connection tells that it changed. */
const REFRESH_MS = 30_000
const whileUnconnected = () => (connection.read() ? false : REFRESH_MS)

/** The items of the timeline in a range or of a state. */
export function timelineQuery(asked: Asked) {
  return infiniteQueryOptions({
    queryKey: [...own, asked],
    queryFn: ({ pageParam, signal }) =>
      call(routes.timeline, { query: { ...asked, cursor: pageParam, limit: MAX_PAGE_SIZE } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: whileUnconnected,
  })
}

/** The person’s rhythm, and whether their accounts post. */
export const queueQuery = queryOptions({
  queryKey: queueKey,
  queryFn: ({ signal }) => call(routes.queue, {}, { signal }),
  refetchInterval: whileUnconnected,
})

/** Queries that a changed item invalidates: the timeline, and the places where its post can still be used. */
export const itemChanges = { invalidates: [own, queueKey], outdates: [roots.promotion] }
/** How close posts may be is the queue’s to say, so that what is marked on the timeline may change with it. */
export const queueChanges = { invalidates: [queueKey, own] }

export function useCancelItem() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.cancelTimelineItem, { body: { itemId } }),
    meta: itemChanges,
  })
}

/** Puts back what was taken off the timeline, as it was. */
export function useRestoreItem() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.restoreTimelineItem, { body: { itemId } }),
    meta: itemChanges,
  })
}

export function useReopenPair() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.reopenPair, { body: { itemId } }),
    meta: itemChanges,
  })
}

/** Has a post go up although the same link was posted there before. */
export function useResubmit() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.editTimelineItem, { body: { itemId, resubmit: true } }),
    meta: itemChanges,
  })
}

/** Sends a first comment again that wasn’t posted. */
export function useRetryComment() {
  return useMutation({
    mutationFn: (itemId: string) => call(routes.retryComment, { body: { itemId } }),
    meta: itemChanges,
  })
}

/** One after the other: a move that came late would take its item out of what was moved together since. */
const MOVES = { id: 'move-timeline-items' }

/** Moves everything scheduled between two moments. */
export function useMoveDay() {
  return useMutation({
    scope: MOVES,
    mutationFn: (body: Input<typeof scheduleRoutes.moveDay>['body']) => call(routes.moveDay, { body }),
    meta: itemChanges,
  })
}

/** Gives what was moved together its times again. */
export function useMoveBack() {
  return useMutation({
    scope: MOVES,
    mutationFn: (items: Output<typeof scheduleRoutes.moveDay>['items']) =>
      call(routes.moveBack, { body: { items } }),
    meta: itemChanges,
  })
}

const MOVING = [...own, 'move']

/** Gives an item another time, which is shown at once, and taken back where it can’t have that. */
export function useMoveItem() {
  const client = useQueryClient()
  const show = (itemId: string, postTime: string) =>
    client.setQueriesData<InfiniteData<Page>>(
      { queryKey: own },
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (item._id === itemId ? { ...item, postTime } : item)),
          })),
        },
    )
  return useMutation({
    mutationKey: MOVING,
    scope: MOVES,
    mutationFn: ({ item, postTime }: { item: TimelineItem; postTime: string }) =>
      call(routes.editTimelineItem, { body: { itemId: item._id, postTime } }),
    onMutate: async ({ item, postTime }) => {
      await client.cancelQueries({ queryKey: own })
      show(item._id, postTime)
    },
    onError: (_error, { item }) => show(item._id, item.postTime),
    meta: { ...itemChanges, onFailure: itemChanges.invalidates },
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
    meta: { invalidates: [...queueChanges.invalidates, accountsQuery.queryKey] },
  })
}
