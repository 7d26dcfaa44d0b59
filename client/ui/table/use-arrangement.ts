import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Arrangement } from './arrange.ts'

const LONGEST = 100

/** How an address says that rows are arranged; `-` in front of a column is from its end on. */
export function arrangementOf(address: URLSearchParams): Arrangement {
  const sort = address.get('sort') ?? ''
  const column = sort.replace(/^-/, '').slice(0, LONGEST)
  return {
    sort: column === '' ? null : { column, descending: sort.startsWith('-') },
    search: (address.get('search') ?? '').replace(/\p{Cc}/gu, ' ').slice(0, LONGEST),
    only: (address.get('only') ?? '').slice(0, LONGEST),
  }
}

/** The address with this arrangement in it; what is as it comes isn’t said. */
export function arrangedAddress(address: URLSearchParams, { sort, search, only }: Arrangement) {
  const after = new URLSearchParams(address)
  const said = { sort: sort ? `${sort.descending ? '-' : ''}${sort.column}` : '', search, only }
  for (const [name, value] of Object.entries(said)) {
    if (value) after.set(name, value)
    else after.delete(name)
  }
  return after
}

/** The arrangement of a page’s one table, kept in its address, so that a link and going back bring it back. */
export function useArrangement(): [Arrangement, (next: Arrangement) => void] {
  const [address, setAddress] = useSearchParams()
  // What was asked for holds at once: the next click may come before the address shows it.
  const [asked, setAsked] = useState<URLSearchParams | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address says all.
  useEffect(() => setAsked(null), [address])
  const shown = asked ?? address
  const change = (next: Arrangement) => {
    const after = arrangedAddress(shown, next)
    setAsked(after)
    setAddress(after, { replace: true, preventScrollReset: true })
  }
  return [arrangementOf(shown), change]
}
