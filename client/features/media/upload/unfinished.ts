import { queryOptions } from '@tanstack/react-query'
import type { Routes } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/route.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { heldUploads } from './ownership.ts'

export type UnfinishedUpload = Output<Routes['uploads']>['items'][number]

/** How often a tab looks whether another one still is at its uploads, in milliseconds. */
const HELD_MS = 1_000

/** The uploads that any tab of this browser is at, this one included. */
export const heldUploadsQuery = queryOptions({
  queryKey: [...roots.media, 'uploads', 'held'],
  queryFn: heldUploads,
  networkMode: 'always',
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.length ? HELD_MS : false),
})

/** The own uploads of new items that are not ready, but those that are `held`; asked again when these change. */
export const unfinishedUploadsQuery = (held: readonly string[]) =>
  queryOptions({
    queryKey: [...UNFINISHED_KEY, held],
    queryFn: async ({ signal }) => {
      const { items } = await call(routes.uploads, { query: { uploadIds: [] } }, { signal })
      return items.filter(
        ({ uploadId, replacesMediaId }) => !held.includes(uploadId) && replacesMediaId === null,
      )
    },
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })

export const UNFINISHED_KEY = [...roots.media, 'uploads', 'started'] as const
