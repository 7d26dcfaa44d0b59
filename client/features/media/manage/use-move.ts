import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import type { Media } from '../api.ts'
import { useReorder } from './api.ts'
import type { LibraryFilter } from './filter.ts'
import { moved } from './order.ts'

type GrowingList = {
  hasNextPage: boolean
  fetchNextPage: () => Promise<{ error: Error | null; data?: { pages: { items: Media[] }[] } | undefined }>
}

/** The loaded items in the order that the last move led to, and how to move one; the person is told when that fails. */
export function useMove(filter: LibraryFilter, items: readonly Media[], list: GrowingList) {
  const reorder = useReorder(filter)
  // Drawn in the same moment as the card is dropped; the cache follows a little later.
  const [local, setLocal] = useState({ items, order: items })
  if (local.items !== items) setLocal({ items, order: items })
  const order = local.items === items ? local.order : items

  const fail = (error: unknown) => {
    setLocal({ items, order: items })
    toast.failure(`The order could not be changed. ${errorMessage(error)}`)
  }
  const to = async (from: number, place: number) => {
    const media = order[from]
    if (!media) return
    const next = moved(order, from, place)
    setLocal({ items, order: next })
    let before = next[place + 1]?._id ?? null
    if (before === null && list.hasNextPage) {
      // What comes after the last loaded item is known only once it is loaded.
      const { data, error } = await list.fetchNextPage()
      if (error) return fail(error)
      const further = data?.pages.flatMap((page) => page.items).slice(order.length) ?? []
      before = further[0]?._id ?? null
      next.push(...further)
    }
    reorder.mutate({ mediaId: media._id, beforeMediaId: before, order: next }, { onError: fail })
  }
  return { order, to }
}
