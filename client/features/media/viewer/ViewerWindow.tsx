import 'photoswipe/style.css'
import { IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { type FeedMedia, renewMedia } from '../api.ts'
import { VideoPlayer } from '../player/VideoPlayer.tsx'
import { openPhotoSwipe, type ViewerHandle } from './photoswipe.ts'
import { viewerTexts as texts } from './texts.ts'
import { ViewerCaption } from './ViewerCaption.tsx'
import styles from './ViewerWindow.module.css'

type ViewerWindowProps = {
  items: readonly FeedMedia[]
  startId: string
  more?: boolean
  onClose: () => void
  onMove?: (mediaId: string) => void
  onLeave?: (mediaId: string) => void
  onNearEnd?: () => void
  onUnlock?: (media: FeedMedia) => void
}

/** How many items before the end more are asked for. */
const NEAR_END = 4
/** How long an item is shown before it counts as moved to: Safari refuses more than 100 new addresses in 30 seconds. */
const STAYS_MS = 300

/** The open viewer: PhotoSwipe moves the slides, React fills captions, videos and locked items into them. */
export default function ViewerWindow({
  items,
  startId,
  more = false,
  onClose,
  onMove,
  onLeave,
  onNearEnd,
  onUnlock,
}: ViewerWindowProps) {
  const client = useQueryClient()
  const latest = useEffectEvent(() => ({ items, onClose, onMove, onLeave, onNearEnd }))
  const [start] = useState(startId)
  const [viewer, setViewer] = useState<ViewerHandle | null>(null)
  const [index, setIndex] = useState(0)
  const [filled, setFilled] = useState<{ mediaId: string; element: HTMLElement } | null>(null)

  useEffect(() => {
    const opened = openPhotoSwipe({
      startIndex: Math.max(
        0,
        latest().items.findIndex((media) => media._id === start),
      ),
      count: () => latest().items.length,
      itemAt: (at) => latest().items[at],
      renew: (mediaId) => {
        const shown = latest().items.find(({ _id }) => _id === mediaId)
        return shown ? renewMedia(client, shown) : Promise.reject(new Error('no longer shown'))
      },
      onIndex: setIndex,
      onFilled: setFilled,
      onLeave: (mediaId) => latest().onLeave?.(mediaId),
      onClosed: () => latest().onClose(),
      // Asked once: a second opening would stand beside the first while that fades.
      still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    })
    setViewer(opened)
    return opened.destroy
  }, [client, start])

  const count = useRef(items.length)
  useEffect(() => {
    if (items.length > count.current) viewer?.grown(count.current)
    count.current = items.length
  }, [viewer, items.length])

  useEffect(() => viewer?.mark(more), [viewer, more])

  const left = items.length - 1 - index
  useEffect(() => {
    if (left < NEAR_END) latest().onNearEnd?.()
  }, [left])

  const current = items[index]
  const currentId = viewer ? current?._id : undefined
  useEffect(() => {
    if (currentId === undefined || currentId === startId) return
    const { href } = location
    const timer = setTimeout(() => {
      // One that comes while the viewer goes away would open it again.
      if (location.href === href) latest().onMove?.(currentId)
    }, STAYS_MS)
    return () => clearTimeout(timer)
  }, [currentId, startId])
  const inside = filled && items.find((media) => media._id === filled.mediaId)
  return (
    <>
      {viewer &&
        current &&
        createPortal(<ViewerCaption media={current} {...(onUnlock ? { onUnlock } : {})} />, viewer.caption)}
      {inside &&
        createPortal(
          inside.locked ? (
            <LockedSlide media={inside} />
          ) : (
            <div className={styles.video}>
              <VideoPlayer key={inside._id} media={inside} autoPlay withinViewer />
            </div>
          ),
          filled.element,
        )}
    </>
  )
}

/** The view of a locked item: its blur, and that it is locked. The caption says how to unlock it. */
function LockedSlide({ media }: { media: FeedMedia }) {
  const ratio = media.width > 0 && media.height > 0 ? media.width / media.height : 1
  return (
    <div className={styles.locked}>
      <div className={styles.lockedBox} style={{ aspectRatio: ratio, '--ratio': ratio } as object}>
        <BlurPreview hash={media.preview} />
        <div className={styles.lockedWords}>
          <IconLock size={30} stroke={1.5} aria-hidden />
          <p>{media.type === 'video' ? texts.lockedVideo : texts.lockedPhoto}</p>
        </div>
      </div>
    </div>
  )
}
