import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { massMessageRoutes } from '../../../../contract/routes/messaging/mass-messages.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { keys } from '../api.ts'

export type MassMessage = Output<typeof massMessageRoutes.massMessages>['items'][number]
export type Audience = MassMessage['audience']
type Aim = Input<typeof massMessageRoutes.countMassAudience>['query']

const own = [...roots.messaging, 'mass'] as const

/** Whether it has gone to nobody and is on its way to nobody, so that it can be changed or deleted. */
export const isUnsent = ({ status, sent }: MassMessage) =>
  status === 'scheduled' || (status === 'failed' && sent === 0)

/** How often figures are asked for: while a message is on its way, and while fans may be reading one. */
const WATCH_MS = { moving: 2000, still: 15_000 }
const isMoving = ({ status }: MassMessage) => status === 'sending' || status === 'unsending'

/** The creator's mass messages, the latest first; those on their way are watched. */
export const massMessagesQuery = infiniteQueryOptions({
  queryKey: [...own, 'list'],
  queryFn: ({ pageParam, signal }) => call(routes.massMessages, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isMoving)) ? WATCH_MS.moving : WATCH_MS.still,
})

/** One mass message; asked for anew each time, as its form begins with it. */
export function massMessageQuery(massMessageId: string) {
  return queryOptions({
    queryKey: [...own, 'one', massMessageId],
    queryFn: ({ signal }) => call(routes.massMessage, { query: { massMessageId } }, { signal }),
    gcTime: 0,
  })
}

/** How many people a mass message would go to. */
export function audienceQuery(aim: Aim) {
  return queryOptions({
    queryKey: [...own, 'audience', aim],
    queryFn: ({ signal }) => call(routes.countMassAudience, { query: aim }, { signal }),
    enabled: aim.audience !== 'list' || aim.listId !== undefined,
  })
}

export type Saved = Input<typeof massMessageRoutes.saveMassMessage>['body']

/** Sends a mass message, or schedules or changes one; the same key again never sends it twice. */
export function saveMassMessage({ key, ...body }: Saved & { key: string }) {
  return call(routes.saveMassMessage, { body }, { idempotencyKey: key })
}

/** Queries that a saved mass message invalidates. */
export const massChanges = { invalidates: [own], outdates: [keys.lists, keys.chats] }

/** Deletes a mass message that went to nobody. */
export function useCancelMassMessage() {
  return useMutation({
    mutationFn: (massMessageId: string) => call(routes.cancelMassMessage, { body: { massMessageId } }),
    meta: massChanges,
  })
}

/** Takes a mass message back. */
export function useUnsendMassMessage() {
  return useMutation({
    mutationFn: (massMessageId: string) => call(routes.unsendMassMessage, { body: { massMessageId } }),
    meta: massChanges,
  })
}
