import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Media, MediaListQuery } from '../api.ts'
import { MediaViewer } from '../viewer/MediaViewer.tsx'
import { useViewer } from '../viewer/use-viewer.ts'
import { MediaList } from './MediaList.tsx'
import { MediaWall, MediaWallSkeleton } from './MediaWall.tsx'

type ViewableWallProps = {
  label: string
  query: MediaListQuery
  empty: ReactNode
  /** What a tap on a locked item does. */
  onLocked: (media: Media) => void
  corner?: (media: Media) => ReactNode
}

/** A wall that grows, whose open items are leafed through over the full screen. */
export function ViewableWall({ label, query, empty, onLocked, corner }: ViewableWallProps) {
  const viewer = useViewer()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(query)
  return (
    <MediaList query={query} waiting={<MediaWallSkeleton />} empty={empty}>
      {(items) => (
        <>
          <MediaWall
            label={label}
            items={items}
            onOpen={(media) => (media.locked ? onLocked(media) : viewer.open(media._id))}
            {...(corner ? { corner } : {})}
          />
          <MediaViewer
            items={items}
            viewing={viewer.viewing}
            onClose={viewer.close}
            onNearEnd={() => {
              if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
            }}
          />
        </>
      )}
    </MediaList>
  )
}
