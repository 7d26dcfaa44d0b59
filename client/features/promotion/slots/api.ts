import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import type { Input, Output } from '../../../../contract/route.ts'
import type { slotRoutes } from '../../../../contract/routes/promotion/slots.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

export type Slot = Output<typeof slotRoutes.slots>['items'][number]

// Below the queue, whose time zone they go by.
const own = [...roots.promotion, 'queue', 'slots'] as const

/** The person’s recurring slots. */
export const slotsQuery = queryOptions({
  queryKey: own,
  queryFn: ({ signal }) => call(routes.slots, {}, { signal }),
})

/** Queries that a changed slot invalidates: everything that shows scheduled items. */
export const slotChanges = { invalidates: [own], outdates: [roots.promotion] }

export function useSaveSlot() {
  return useMutation({
    mutationFn: (body: Input<typeof slotRoutes.saveSlot>['body']) => call(routes.saveSlot, { body }),
    meta: slotChanges,
  })
}

export function useDeleteSlot() {
  return useMutation({
    mutationFn: (slotId: string) => call(routes.deleteSlot, { body: { slotId } }),
    meta: slotChanges,
  })
}

/** How many posts a score and a number of hours would delete at once. */
export function removalsQuery(below: number, afterHours: number) {
  return queryOptions({
    queryKey: [...roots.promotion, 'removals', below, afterHours],
    queryFn: ({ signal }) => call(routes.removalPreview, { query: { below, afterHours } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
