import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { type LibraryMedia, useReorder } from './api.ts'
import type { LibraryFilter } from './filter.ts'
import { arranged, moved } from './order.ts'
import { texts } from './texts.ts'

type GrowingList = {
  hasNextPage: boolean
  fetchNextPage: () => Promise<{
    error: Error | null
    data?: { pages: { items: LibraryMedia[] }[] } | undefined
  }>
}

/** The loaded items in the order that the last move led to, and how to move one; the person is told when that fails. */
export function useMove(filter: LibraryFilter, items: readonly LibraryMedia[], list: GrowingList) {
  const reorder = useReorder(filter)
  // Drawn in the same moment as the card is dropped, and for as long as the cache does not follow: what is loaded meanwhile comes after it.
  const [moving, setMoving] = useState<readonly string[] | null>(null)
  const order = moving ? arranged(items, moving) : items

  const to = async (from: number, place: number) => {
    const media = order[from]
    if (!media) return
    const next = moved(order, from, place)
    const ids = next.map(({ _id }) => _id)
    setMoving(ids)
    const end = () => setMoving((now) => (now === ids ? null : now))
    const fail = (error: unknown) => {
      end()
      toast.failure(texts.orderFailed(errorMessage(error)))
    }
    const further: LibraryMedia[] = []
    if (place === next.length - 1 && list.hasNextPage) {
      // The item after the last loaded one is known only once it is loaded.
      const { data, error } = await list.fetchNextPage()
      if (error) return fail(error)
      further.push(...(data?.pages.flatMap((page) => page.items).slice(next.length) ?? []))
    }
    // Each move is told of, also where another one follows before its answer.
    const beforeMediaId = next[place + 1]?._id ?? further[0]?._id ?? null
    reorder.mutateAsync({ mediaId: media._id, beforeMediaId, order: [...next, ...further] }).then(end, fail)
  }
  return { order, to }
}
