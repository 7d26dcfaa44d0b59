import { type ReactNode, useEffect, useRef } from 'react'
import type { FeedMedia, MediaListQuery, Page } from '../api.ts'
import { MediaViewer } from '../viewer/MediaViewer.tsx'
import { useViewer } from '../viewer/use-viewer.ts'
import { MediaList } from './MediaList.tsx'
import { MediaWall, MediaWallSkeleton } from './MediaWall.tsx'
import { useMediaList } from './use-media-list.ts'

type ViewableWallProps<P extends Page> = {
  label: string
  query: MediaListQuery<P>
  empty: ReactNode
  /** What a tap on a locked item does. */
  onLocked: (media: FeedMedia) => void
  corner?: (media: FeedMedia) => ReactNode
  /** What an item looks like here, where it is not shown as it is; null when it is left out. */
  show?: (media: FeedMedia) => FeedMedia | null
}

/** A wall that grows, whose open items are leafed through over the full screen. */
export function ViewableWall<P extends Page>({
  label,
  query,
  empty,
  onLocked,
  corner,
  show,
}: ViewableWallProps<P>) {
  const viewer = useViewer()
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = useMediaList(query)
  const seenLast = useRef<string | null>(null)
  useEffect(() => {
    if (viewer.viewing !== null || seenLast.current === null) return
    focusTile(seenLast.current)
    seenLast.current = null
  }, [viewer.viewing])
  return (
    <MediaList query={query} waiting={<MediaWallSkeleton />} empty={empty}>
      {(loaded) => {
        const items = show ? loaded.map(show).filter((media) => media !== null) : loaded
        return (
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
              onLeave={(mediaId) => {
                seenLast.current = mediaId
              }}
              onNearEnd={() => {
                if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
              }}
            />
          </>
        )
      }}
    </MediaList>
  )
}

/** The person stands where they stopped leafing. */
function focusTile(mediaId: string): void {
  document.querySelector<HTMLElement>(`[data-media-id="${CSS.escape(mediaId)}"] button`)?.focus()
}
