import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import type { FeedMedia, MediaListQuery, Page } from '../api.ts'
import { MediaViewer } from '../viewer/MediaViewer.tsx'
import { useViewer } from '../viewer/use-viewer.ts'
import { MediaWall, MediaWallSkeleton } from './MediaWall.tsx'

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
  const list = useList(query)
  const { items: loaded, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const items = useMemo(
    () => (show ? loaded.map(show).filter((media) => media !== null) : loaded),
    [loaded, show],
  )
  // A state, as the wall may have to draw it first.
  const [seenLast, setSeenLast] = useState<string | null>(null)
  useEffect(() => {
    if (viewer.viewing !== null || seenLast === null) return
    focusTile(seenLast)
    setSeenLast(null)
  }, [viewer.viewing, seenLast])
  return (
    <GrowingList list={list} waiting={<MediaWallSkeleton />} empty={empty}>
      <MediaWall
        label={label}
        items={items}
        onOpen={(media) => (media.locked ? onLocked(media) : viewer.open(media._id))}
        kept={seenLast}
        {...(corner ? { corner } : {})}
      />
      <MediaViewer
        items={items}
        viewing={viewer.viewing}
        onClose={viewer.close}
        onLeave={setSeenLast}
        onNearEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
        }}
      />
    </GrowingList>
  )
}

/** The person stands where they stopped leafing. */
function focusTile(mediaId: string): void {
  document.querySelector<HTMLElement>(`[data-media-id="${CSS.escape(mediaId)}"] button`)?.focus()
}
