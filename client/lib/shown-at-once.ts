import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

type Change<Data> = (data: Data) => Data
type Sent<Data> = { change: Change<Data>; kept: boolean }
/** What the server has, and what is shown on top of it, in the order in which it was sent: what is kept waits for earlier answers. */
type UnderWay<Data> = { known: Data; sent: Sent<Data>[]; show(): void; settle(): void }

const allUnderWay = new WeakMap<Query, UnderWay<never>>()

/**
 * Shows a change of what is kept under a key before the server has answered. `keep` is for its answer; `takeBack` shows
 * what the server has with all other changes that are on their way, also where it can't be asked. A reset of the query,
 * as for another person, forgets them.
 */
export function showAtOnce<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: Change<Data>,
): { keep(): void; takeBack(): void } {
  const query = client.getQueryCache().find<Data>({ queryKey, exact: true })
  const data = query?.state.data
  if (query === undefined || data === undefined) return { keep: () => {}, takeBack: () => {} }
  const key = query as unknown as Query
  const underWay: UnderWay<Data> =
    (allUnderWay.get(key) as UnderWay<Data> | undefined) ?? begin<Data>(client, key, data)
  const one = { change, kept: false }
  underWay.sent.push(one)
  underWay.show()
  return {
    keep: () => {
      if (!underWay.sent.includes(one)) return
      one.kept = true
      underWay.settle()
    },
    takeBack: () => {
      if (!underWay.sent.includes(one)) return
      underWay.sent.splice(underWay.sent.indexOf(one), 1)
      underWay.show()
      underWay.settle()
    },
  }
}

function begin<Data>(client: QueryClient, query: Query, data: Data): UnderWay<Data> {
  const underWay: UnderWay<Data> = {
    known: data,
    sent: [],
    show: () =>
      client.setQueryData(
        query.queryKey,
        underWay.sent.reduce((shown, { change }) => change(shown), underWay.known),
      ),
    settle: () => {
      const open = underWay.sent.findIndex(({ kept }) => !kept)
      const settled = underWay.sent.splice(0, open < 0 ? underWay.sent.length : open)
      underWay.known = settled.reduce((known, { change }) => change(known), underWay.known)
      if (underWay.sent.length > 0) return
      stop()
      allUnderWay.delete(query)
    },
  }
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.query !== query) return
    if (event.type === 'removed' || query.state.data === undefined) {
      underWay.sent.length = 0
      underWay.settle()
    } else if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) {
      underWay.known = query.state.data as Data
      underWay.show()
    }
  })
  allUnderWay.set(query, underWay as unknown as UnderWay<never>)
  return underWay
}
