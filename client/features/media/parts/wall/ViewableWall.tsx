import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { GrowingList } from '../../../../ui/list/GrowingList.tsx'
import { useAllPages, useList } from '../../../../ui/list/use-list.ts'
import type { FeedMedia, MediaListQuery, Page } from '../../api.ts'
import { MediaViewer } from '../MediaViewer.tsx'
import { useViewer } from '../use-viewer.ts'
import { MediaWall, MediaWallSkeleton } from './MediaWall.tsx'

type ViewableWallProps<P extends Page> = {
  label: string
  query: MediaListQuery<P>
  empty: ReactNode
  /** The action of a tap on a locked item, and the viewer's button below one. */
  onLocked: (media: FeedMedia) => void
  corner?: (media: FeedMedia) => ReactNode
  /** The tile of an item if it differs from the usual one; null when it is left out. */
  show?: (media: FeedMedia) => FeedMedia | null
  /** Another look than that of a wall, each item in an element with its `data-media-id`. */
  children?: (items: readonly P['items'][number][], onOpen: (media: FeedMedia) => void) => ReactNode
  waiting?: ReactNode
  /** More comes by a button instead of by scrolling: for a list with something below it. */
  byButton?: boolean
}

/** How many pages are looked through for the item that an address names, as after a reload far down. */
const PAGES = 10

/** Items that grow page by page, on a wall unless told otherwise, the open ones leafed through over the full screen. */
export function ViewableWall<P extends Page>({
  label,
  query,
  empty,
  onLocked,
  corner,
  show,
  children,
  waiting = <MediaWallSkeleton />,
  byButton = false,
}: ViewableWallProps<P>) {
  const viewer = useViewer()
  const list = useList(query)
  const { items: loaded, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const items = useMemo(
    () => (show ? loaded.map(show).filter((media) => media !== null) : loaded),
    [loaded, show],
  )
  const isMissing = viewer.viewing !== null && !loaded.some(({ _id }) => _id === viewer.viewing)
  useAllPages(list, isMissing && list.pageCount < PAGES)
  // A state, as the wall may have to draw it first.
  const [seenLast, setSeenLast] = useState<string | null>(null)
  // Unlocked once the viewer has gone, which is a step back in the history.
  const [wanted, setWanted] = useState<FeedMedia | null>(null)
  useEffect(() => {
    if (viewer.viewing !== null || seenLast === null) return
    focusTile(seenLast)
    setSeenLast(null)
    if (wanted) onLocked(wanted)
    setWanted(null)
  }, [viewer.viewing, seenLast, wanted, onLocked])
  const onOpen = (media: FeedMedia) => (media.locked ? onLocked(media) : viewer.open(media._id))
  return (
    <GrowingList list={list} waiting={waiting} empty={empty} byButton={byButton}>
      {children ? (
        children(items, onOpen)
      ) : (
        <MediaWall
          label={label}
          items={items}
          onOpen={onOpen}
          kept={seenLast}
          {...(corner ? { corner } : {})}
        />
      )}
      <MediaViewer
        items={items}
        viewing={viewer.viewing}
        more={hasNextPage}
        onClose={viewer.close}
        onMove={viewer.move}
        onLeave={setSeenLast}
        onUnlock={(media) => {
          setWanted(media)
          viewer.close()
        }}
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
