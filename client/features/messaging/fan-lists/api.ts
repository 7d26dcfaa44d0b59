import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { fanListRoutes } from '../../../../contract/routes/messaging/fan-lists.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type Fan = Output<typeof fanListRoutes.fanTable>['items'][number]
export type OneFan = Output<typeof fanListRoutes.fan>
export type FanList = Output<typeof fanListRoutes.fanLists>['items'][number]
type Asked = NonNullable<Input<typeof fanListRoutes.fanTable>['query']>

const own = [...roots.messaging, 'fans'] as const

/** The creator's fans of one kind or one list, in one order. */
export function fanTableQuery(asked: Pick<Asked, 'showing' | 'listId' | 'sort' | 'filter'>) {
  return infiniteQueryOptions({
    queryKey: [...own, 'table', asked],
    queryFn: ({ pageParam, signal }) =>
      call(routes.fanTable, { query: { ...asked, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** One person as the creator sees them. */
export function fanQuery(fanId: string) {
  return queryOptions({
    queryKey: [...own, 'one', fanId],
    queryFn: ({ signal }) => call(routes.fan, { query: { fanId } }, { signal }),
  })
}

/** The creator's own lists, by name. */
export const fanListsQuery = queryOptions({
  queryKey: [...own, 'lists'],
  queryFn: ({ signal }) => call(routes.fanLists, {}, { signal }),
})

export const fanChanges = { invalidates: [own] }

/** Puts somebody on a list, or takes them off it. */
export function useListed(fanId: string) {
  return useMutation({
    mutationFn: ({ listId, listed }: { listId: string; listed: boolean }) =>
      call(routes.changeFanList, { body: { listId, ...(listed ? { add: [fanId] } : { remove: [fanId] }) } }),
    meta: fanChanges,
  })
}

/** Deletes a list. */
export function useDeleteFanList() {
  return useMutation({
    mutationFn: (listId: string) => call(routes.deleteFanList, { body: { listId } }),
    meta: fanChanges,
  })
}
