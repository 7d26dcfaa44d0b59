import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Tag as TagSchema } from '../../../../contract/routes/media/tags.ts'
import { call } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'

/** A media tag (docs/product.md, Texts). */
export type Tag = z.output<typeof TagSchema>

/** Longest name of a tag, in characters, and how many are offered at once. */
export const TAG_NAME_LENGTH = 40
const OFFERED = 50
const DEBOUNCE_MS = 200
const STALE_MS = 60_000

const keys = { all: [...roots.media, 'tags'], search: [...roots.media, 'tags', 'search'] } as const

/** Tags by part of their name, the most used first, and those suggested beside discover. */
function tagsQuery(search: string) {
  return queryOptions({
    queryKey: [...keys.search, search],
    queryFn: ({ signal }) =>
      call(routes.tags, { query: { ids: [], limit: OFFERED, ...(search ? { search } : {}) } }, { signal }),
    staleTime: STALE_MS,
  })
}

/**
 * Tags by part of their name, the most used first, asked for 200 ms after the last change of `search`.
 * The tags found before stay until the new ones are there; `isStale` tells that they are not yet those of `search`.
 */
export function useTags(search = '') {
  const wanted = search.trim().slice(0, TAG_NAME_LENGTH)
  const [settled] = useDebouncedValue(wanted, DEBOUNCE_MS)
  const found = useQuery({ ...tagsQuery(settled), placeholderData: keepPreviousData })
  return {
    tags: found.data?.tags ?? [],
    suggested: found.data?.suggested ?? [],
    isStale: settled !== wanted || found.isPending || found.isPlaceholderData,
    error: found.error,
  }
}

/** The tags of these ids; those found before stay until all are there. */
export function useTagsOf(ids: readonly string[]): Tag[] {
  const found = useQuery({
    queryKey: [...keys.all, 'ids', [...ids].sort()],
    queryFn: ({ signal }) => call(routes.tags, { query: { ids: [...ids], limit: 100 } }, { signal }),
    enabled: ids.length > 0,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
  return found.data?.tags ?? []
}

/** Adds a tag of this name, or finds the one that is there; for creators. */
export function useAddTag() {
  return useMutation({
    mutationFn: (name: string) => call(routes.addTag, { body: { name } }),
    meta: { invalidates: [keys.search] },
  })
}
