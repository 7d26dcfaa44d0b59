import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

type Change<Data> = (data: Data) => Data
/** What the server has, and what is shown of it that isn't answered yet, the oldest first. */
type UnderWay<Data> = { known: Data; changes: Change<Data>[] }

const caches = new WeakMap<QueryClient, Map<string, unknown>>()

/**
 * Shows a change of what is kept under a key before the server has answered. `keep` is for its answer; `takeBack` shows
 * what the server has with all other changes that are on their way, also where it can't be asked.
 */
export function showAtOnce<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: Change<Data>,
): { keep(): void; takeBack(): void } {
  const cache = caches.get(client) ?? new Map<string, unknown>()
  caches.set(client, cache)
  const hash = hashKey(queryKey)
  const data = client.getQueryData<Data>(queryKey)
  if (data === undefined) return { keep: () => {}, takeBack: () => {} }
  const underWay = (cache.get(hash) as UnderWay<Data> | undefined) ?? { known: data, changes: [] }
  cache.set(hash, underWay)
  underWay.changes.push(change)
  client.setQueryData(queryKey, change(data))
  const end = () => {
    underWay.changes = underWay.changes.filter((one) => one !== change)
    if (underWay.changes.length === 0) cache.delete(hash)
  }
  return {
    keep: () => {
      underWay.known = change(underWay.known)
      end()
    },
    takeBack: () => {
      end()
      client.setQueryData(
        queryKey,
        underWay.changes.reduce((shown, one) => one(shown), underWay.known),
      )
    },
  }
}
