import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { FeedMedia } from '../api.ts'
import { useEntryBelow } from './use-viewer.ts'

export type MediaViewerProps = {
  /** The items to swipe through; they may grow while the viewer is open. External GIFs are left out. */
  items: readonly FeedMedia[]
  /** The item shown first; null while the viewer is closed. */
  viewing: string | null
  /** There are more than these items, which come near the end. */
  more?: boolean
  onClose: () => void
  /** Another item is shown. */
  onMove?: (mediaId: string) => void
  /** Told what was shown last, when the viewer goes away by whatever way. */
  onLeave?: (mediaId: string) => void
  /** Asked for when the person comes near the end of what is loaded. */
  onNearEnd?: () => void
  /** Unlocks the item; without it the viewer leads to the item's page. */
  onUnlock?: (media: FeedMedia) => void
}

const ViewerWindow = lazyPart(() => import('../viewer/ViewerWindow.tsx').then((module) => module.default))

/** Pictures and videos over the whole screen, by keyboard, swipe and pinch. Its code loads when it is first opened. */
export function MediaViewer({ items, viewing, ...told }: MediaViewerProps) {
  const viewable = items.filter((media) => media.locked || media.url)
  const isShown = viewing !== null && viewable.some((media) => media._id === viewing)
  useEntryBelow(isShown)
  if (!isShown) return null
  return <ViewerWindow items={viewable} startId={viewing} {...told} />
}
