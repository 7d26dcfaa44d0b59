import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { tagFilterAddress, tagsInAddress } from './address.ts'

/** How long after the last toggle the feed follows (docs/product.md, Limits). */
const DEBOUNCE_MS = 200

/**
 * The tags that discover is narrowed to. They stand in the address, so that back, reload and sharing keep them;
 * `chosen` shows a toggle at once, `asked` follows 200 ms after the last one.
 */
export function useTagFilter() {
  const [parameters, setParameters] = useSearchParams()
  const [pending, setPending] = useState<string[] | null>(null)
  const asked = tagsInAddress(parameters)
  const chosen = pending ?? asked
  const write = useDebouncedCallback((tagIds: string[]) => {
    setPending(null)
    setParameters(tagFilterAddress(tagIds), { preventScrollReset: true })
  }, DEBOUNCE_MS)
  const choose = (tagIds: string[]) => {
    setPending(tagIds)
    write(tagIds)
  }
  const toggle = (tagId: string) =>
    choose(chosen.includes(tagId) ? chosen.filter((one) => one !== tagId) : [...chosen, tagId])
  return { asked, chosen, choose, toggle }
}
