import { useAddress } from '../fields/use-address.ts'
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
  const [, change, asked] = useAddress()
  return [arrangementOf(asked), (next) => change((before) => arrangedAddress(before, next))]
}
