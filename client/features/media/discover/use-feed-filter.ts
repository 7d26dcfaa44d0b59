import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
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
  const waits = useRef(false)
  const write = useDebouncedCallback((filter: FeedFilter) => {
    waits.current = false
    setParameters(filterAddress(filter), { preventScrollReset: true })
  }, DEBOUNCE_MS)
  // What was written holds until the address shows it: the next toggle may come before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address says all.
  useEffect(() => {
    if (!waits.current) setPending(null)
  }, [parameters])
  const choose = (change: Partial<FeedFilter>) => {
    const filter = { ...chosen, ...change }
    waits.current = true
    setPending(filter)
    write(filter)
  }
  const toggleTag = (tagId: string) => {
    const { tagIds } = chosen
    choose({ tagIds: tagIds.includes(tagId) ? tagIds.filter((one) => one !== tagId) : [...tagIds, tagId] })
  }
  return { asked, chosen, choose, toggleTag }
}
