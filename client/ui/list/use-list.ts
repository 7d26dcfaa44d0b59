import {
  hashKey,
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'

type ListPage = { items: readonly unknown[] }
type Cached<P> = InfiniteData<P>

/** A list as a feature's `api.ts` describes it: read page by page, each after the cursor of the one before. */
type ListQuery<P extends ListPage, Key extends QueryKey, Cursor> = UseInfiniteQueryOptions<
  P,
  Error,
  Cached<P>,
  Key,
  Cursor
>

/** A list that grows, as `GrowingList` shows it. */
export type List<P extends ListPage = ListPage> = ReturnType<typeof useList<P, QueryKey>>

/**
 * A list that grows page by page. Somebody who comes back to it finds it as they left it, so that nothing moves under
 * the place that is returned to; only what was changed meanwhile is asked for again. Anybody else starts with its
 * first page. All pages stay in memory, at about a kilobyte an item: the selection and the way back need them, and what
 * costs time is elements, which `useNearby` takes out of the document.
 */
export function useList<P extends ListPage, Key extends QueryKey, Cursor = string | undefined>(
  query: ListQuery<P, Key, Cursor>,
) {
  const cameBack = useNavigationType() === 'POP'
  const at = useLocation().key
  const client = useQueryClient()
  const name = hashKey(query.queryKey)
  const [last, setLast] = useState<{ name: string; at: string } | null>(null)
  if (last?.name !== name || last.at !== at) {
    // A filter may change without a way to anywhere: how its page was come to says nothing of it then.
    const isReturn = cameBack && last?.at !== at
    if (last?.name !== name && !isReturn) keepFirstPage(client, query.queryKey)
    setLast({ name, at })
  }
  const list = useInfiniteQuery({
    // A long list would be read from its start, page after page, whenever the window is looked at again.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) < 2,
    ...query,
    refetchOnMount: ({ state }) => !cameBack || state.isInvalidated,
  })
  const { data, fetchNextPage, refetch } = list
  const pages = data?.pages
  const items = useMemo(() => (pages ?? []).flatMap((page): P['items'][number][] => [...page.items]), [pages])
  return {
    items,
    first: pages?.[0],
    pageCount: pages?.length ?? 0,
    isPending: list.isPending,
    isFetching: list.isFetching,
    /** What is shown answers an earlier question; the answer to this one is on its way. */
    isPlaceholderData: list.isPlaceholderData,
    error: list.error,
    hasNextPage: list.hasNextPage,
    isFetchingNextPage: list.isFetchingNextPage,
    isFetchNextPageError: list.isFetchNextPageError,
    fetchNextPage,
    refetch,
  }
}

/** Brings every page while something needs all of the list, such as an order that only the browser knows. */
export function useAllPages(
  { pageCount, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Omit<List, 'items' | 'first'>,
  wanted: boolean,
): void {
  const further = wanted && hasNextPage && !isFetching && !isFetchNextPageError
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that comes at once leaves `further` as it was.
  useEffect(() => {
    if (further) void fetchNextPage()
  }, [further, pageCount, fetchNextPage])
}

/** Drops all but the first page, unless somebody looks at them: what is read again is then one page, not forty. */
function keepFirstPage(client: QueryClient, queryKey: QueryKey): void {
  const known = client.getQueryCache().find<Cached<ListPage>>({ queryKey })
  if (!known?.state.data || known.getObserversCount() > 0) return
  const { isInvalidated } = known.state
  client.setQueryData<Cached<ListPage>>(
    queryKey,
    ({ pages, pageParams } = known.state.data as Cached<ListPage>) => ({
      pages: pages.slice(0, 1),
      pageParams: pageParams.slice(0, 1),
    }),
    // As old as it is.
    { updatedAt: known.state.dataUpdatedAt },
  )
  // What was made wrong stays so: what is put into the cache counts as right.
  if (isInvalidated) void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
}
