import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { MAX_MEDIA_PER_BULK_CALL, MAX_MEDIA_SELECTED } from '../../../../contract/constants.ts'
import type { Routes } from '../../../../contract/index.ts'
import type { Input, Output } from '../../../../contract/route.ts'
import type { DeletedMedia as DeletedMediaSchema } from '../../../../contract/routes/media/library.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { keys, listQuery, type Pages, updateCachedMedia } from '../api.ts'
import { addressOf, type LibraryFilter } from './filter.ts'
import { repaged } from './order.ts'

export type BulkChange = Omit<Input<Routes['bulkEditMedia']>['body'], 'mediaIds'>
/** An own item that was deleted and can still be taken back. */
export type DeletedMedia = z.output<typeof DeletedMediaSchema>
/** An item of the own library; `fileName` is what its file was called. */
export type LibraryMedia = Output<Routes['manageMedia']>['items'][number]
/** The facts about a selected item, even if it isn't loaded in the list. */
export type SelectedMedia = Output<Routes['librarySelection']>['items'][number]
export type DeletionEffects = Output<Routes['deletionEffects']>

const PAGE_SIZE = 30

/** Moves happen one after another, in the order in which they were asked for. */
const REORDERING = { id: 'reorder-media' }

/** The logged-in person's own library, narrowed by the filter, in its own order. */
export function libraryQuery(filter: LibraryFilter) {
  const query = { limit: PAGE_SIZE, ...sentOf(filter) }
  return listQuery(['manage', addressOf(filter).toString()], (cursor, signal) =>
    call(routes.manageMedia, { query: { ...query, cursor } }, { signal }),
  )
}

function sentOf({ search, tagIds, type, visibility }: LibraryFilter) {
  return {
    tagIds: [...tagIds],
    ...(search ? { search } : {}),
    ...(type ? { type } : {}),
    ...(visibility ? { visibility } : {}),
  }
}

/** How many items of the own library match. */
export function libraryCountQuery(filter: LibraryFilter) {
  return queryOptions({
    queryKey: [...keys.lists, 'manage-count', addressOf(filter).toString()],
    queryFn: ({ signal }) => call(routes.librarySelection, { query: sentOf(filter) }, { signal }),
    select: ({ count }) => count,
  })
}

/** All that match, as far as they can be selected together, whatever of them is loaded. */
export function useSelectAll(filter: LibraryFilter) {
  return useMutation({
    mutationFn: () =>
      call(routes.librarySelection, { query: { ...sentOf(filter), limit: MAX_MEDIA_SELECTED } }),
  })
}

/** The logged-in person’s own deleted items that can still be taken back, the last deleted first. */
export const deletedMediaQuery = listQuery(['deleted'], (cursor, signal) =>
  call(routes.deletedMedia, { query: { limit: PAGE_SIZE, cursor } }, { signal }),
)

/** The consequences of deleting these items. */
export function deletionEffectsQuery(mediaIds: readonly string[]) {
  return queryOptions({
    queryKey: [...keys.all, 'deletion-effects', ...mediaIds],
    queryFn: ({ signal }) => call(routes.deletionEffects, { body: { mediaIds: [...mediaIds] } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Changes several own items at once, all or none; what is shown of them follows. */
export function useBulkEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ mediaIds, change }: { mediaIds: string[]; change: BulkChange }) =>
      call(routes.bulkEditMedia, { body: { mediaIds, ...change } }),
    onSuccess: ({ items }) => {
      for (const fresh of items) {
        client.setQueryData(keys.item(fresh._id), fresh)
        updateCachedMedia(client, fresh)
      }
    },
    meta: { outdates: [keys.lists, roots.commerce, roots.profiles, roots.promotion] },
  })
}

/** Takes own items out of library and sale, all or none, or for a reason one of somebody else’s; lists lose them at once. */
export function useDeleteMedia() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ mediaIds, reason }: { mediaIds: [string, ...string[]]; reason: string | null }) =>
      reason === null
        ? call(routes.bulkDeleteMedia, { body: { mediaIds } })
        : call(routes.deleteMedia, { body: { mediaId: mediaIds[0], reason } }),
    onSuccess: (_answer, { mediaIds }) => takeOut(client, keys.paged, mediaIds),
    // The next items move up into the loaded pages; products may contain less, and forum posts of them end.
    meta: { invalidates: [keys.lists], outdates: [roots.commerce, roots.profiles, roots.promotion] },
  })
}

async function restore(mediaIds: string[]): Promise<void> {
  for (const batch of batchesOf(mediaIds)) await call(routes.restoreMedia, { body: { mediaIds: batch } })
}

/** As many at a time as one call may name. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / MAX_MEDIA_PER_BULK_CALL) }, (_, at) =>
    items.slice(at * MAX_MEDIA_PER_BULK_CALL, (at + 1) * MAX_MEDIA_PER_BULK_CALL),
  )
}

const restoreChanges = [keys.lists, roots.commerce, roots.profiles, roots.promotion]

/** Takes the deletion of own items back: they are shown again where they were, and the list of deleted ones loses them at once. */
export function useRestoreMedia() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: restore,
    onSuccess: (_answer, mediaIds) => takeOut(client, deletedMediaQuery.queryKey, mediaIds),
    // Items that can't be restored anymore are no longer offered.
    meta: { invalidates: restoreChanges, onFailure: restoreChanges },
  })
}

/** Takes these items out of all lists below the key, whatever is on its way for them. */
async function takeOut(client: QueryClient, queryKey: readonly string[], mediaIds: string[]): Promise<void> {
  const gone = new Set(mediaIds)
  await client.cancelQueries({ queryKey })
  client.setQueriesData<Pages>(
    { queryKey },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.filter((item) => !gone.has(item._id)),
        })),
      },
  )
}

type Move = {
  mediaId: string
  /** Before which item it comes; null at the end of the whole library. */
  beforeMediaId: string | null
  /** The loaded pages of the library, in the order after the move. */
  order: readonly LibraryMedia[]
}

/** Moves an own item in the library's order: seen at once, taken back when it fails. */
export function useReorder(filter: LibraryFilter) {
  const client = useQueryClient()
  const { queryKey } = libraryQuery(filter)
  return useMutation({
    scope: REORDERING,
    mutationFn: ({ mediaId, beforeMediaId }: Move) =>
      call(routes.reorderMedia, { body: { mediaId, beforeMediaId } }),
    onMutate: async ({ order }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (list) => list && { ...list, pages: repaged(list.pages, order) })
      return { before }
    },
    onError: (_error, _move, context) => client.setQueryData(queryKey, context?.before),
    meta: { outdates: [keys.lists], onFailure: [queryKey] },
  })
}

/** Moves own items to the top of the library, in this order; what was moved before a failure stays moved. */
export function useMoveToTop() {
  return useMutation({
    scope: REORDERING,
    mutationFn: async (mediaIds: readonly string[]) => {
      const { items } = await call(routes.manageMedia, { query: { limit: 1, tagIds: [] } })
      let beforeMediaId = items[0]?._id ?? null
      for (const mediaId of [...mediaIds].reverse()) {
        if (mediaId !== beforeMediaId) await call(routes.reorderMedia, { body: { mediaId, beforeMediaId } })
        beforeMediaId = mediaId
      }
    },
    meta: { invalidates: [keys.lists], onFailure: [keys.lists] },
  })
}
