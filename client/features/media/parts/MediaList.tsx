import { type ReactNode, useMemo } from 'react'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useInfiniteScroll } from '../../../ui/infinite-scroll.ts'
import { MoreFooter } from '../../../ui/MoreFooter.tsx'
import type { MediaListQuery, Page } from '../api.ts'
import { useMediaList } from './use-media-list.ts'

type MediaListProps<P extends Page> = {
  query: MediaListQuery<P>
  /** Shown while the first page loads. */
  waiting: ReactNode
  /** Shown instead when there is nothing. */
  empty: ReactNode
  /** More comes by a button instead of by scrolling: for a list with something below it. */
  byButton?: boolean
  children: (items: readonly P['items'][number][]) => ReactNode
}

/** A list of media that grows as the reader comes near its end, with its waiting, empty and failed states. */
export function MediaList<P extends Page>({
  query,
  waiting,
  empty,
  byButton = false,
  children,
}: MediaListProps<P>) {
  const list = useMediaList(query)
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])
  useInfiniteScroll({
    hasMore: hasNextPage,
    paused: byButton || isFetchingNextPage || isFetchNextPageError,
    onMore: () => void fetchNextPage(),
  })

  if (list.isPending) return waiting
  if (list.isError && items.length === 0) {
    return (
      <ErrorState title="This could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    )
  }
  if (items.length === 0) return empty
  return (
    <>
      {children(items)}
      <MoreFooter list={list} byButton={byButton} />
    </>
  )
}
