import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { filterAddress, filterInAddress } from './address.ts'
import type { FeedFilter } from './api.ts'

/** How long after the last toggle the feed follows (docs/product.md, Limits). */
const DEBOUNCE_MS = 200

/**
 * Discover's filters and order. They are in the address, so that back, reload and sharing keep them; `chosen` shows a
 * toggle at once, `asked` follows 200 ms after the last one.
 */
export function useFeedFilter() {
  const [parameters, setParameters] = useSearchParams()
  const [pending, setPending] = useState<FeedFilter | null>(null)
  const asked = filterInAddress(parameters)
  const chosen = pending ?? asked
  const write = useDebouncedCallback((filter: FeedFilter) => {
    setPending(null)
    setParameters(filterAddress(filter), { preventScrollReset: true })
  }, DEBOUNCE_MS)
  const choose = (change: Partial<FeedFilter>) => {
    const filter = { ...chosen, ...change }
    setPending(filter)
    write(filter)
  }
  const toggleTag = (tagId: string) => {
    const { tagIds } = chosen
    choose({ tagIds: tagIds.includes(tagId) ? tagIds.filter((one) => one !== tagId) : [...tagIds, tagId] })
  }
  return { asked, chosen, choose, toggleTag }
}
