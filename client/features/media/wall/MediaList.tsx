import { Button, Loader } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useInfiniteScroll } from '../../../ui/infinite-scroll.ts'
import type { MediaListQuery, Page } from '../api.ts'
import styles from './MediaList.module.css'
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
      <div
        className={styles.more}
        data-compact={byButton || undefined}
        data-more={hasNextPage || undefined}
        aria-live="polite"
      >
        {byButton && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && (
          <Button variant="default" onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
        {isFetchingNextPage && <Loader size="sm" aria-label="Loading more" />}
        {isFetchNextPageError && (
          <>
            <p className={styles.failure}>{errorMessage(list.error)}</p>
            <Button variant="default" onClick={() => void fetchNextPage()}>
              Try again
            </Button>
          </>
        )}
      </div>
    </>
  )
}
