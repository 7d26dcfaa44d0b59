import './allow-styles.ts'
import { Button } from '@mantine/core'
import {
  MediaControlBar,
  MediaController,
  MediaFullscreenButton,
  MediaLoadingIndicator,
  MediaMuteButton,
  MediaPlayButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from 'media-chrome/react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Media } from '../api.ts'
import { useRenewed } from '../use-renewed.ts'
import styles from './VideoPlayer.module.css'

export type PlayerProps = {
  media: Media
  autoPlay?: boolean
  /** Left and right arrows then move between items instead of seeking. */
  withinViewer?: boolean
}

/** Links live 300 s; a paused video gets a new one before it plays on, when it was fetched longer ago than this. */
const LINK_OLD_MS = 240_000

/** Play, seek, sound and full screen. A link that ran out is replaced at the same place of the video. */
export default function PlayerControls({
  media: given,
  autoPlay = false,
  withinViewer = false,
}: PlayerProps) {
  const { media, version, broken, renew, worked, retry } = useRenewed(given)
  const video = useRef<HTMLVideoElement>(null)
  const resume = useRef<{ at: number; playing: boolean } | null>(null)
  const loadedAt = useRef(0)

  const onFailed = () => {
    const playing = loadedAt.current === 0 ? autoPlay : video.current?.paused === false
    renewHere(playing)
  }
  const renewHere = (playing: boolean) => {
    resume.current = { at: video.current?.currentTime ?? 0, playing }
    renew()
  }
  const onLoaded = () => {
    const element = video.current
    const before = resume.current
    resume.current = null
    loadedAt.current = performance.now()
    worked()
    if (!element || !before) return
    if (before.at > 0) element.currentTime = before.at
    if (before.playing) void element.play().catch(() => undefined)
  }
  const onPlay = () => {
    if (performance.now() - loadedAt.current > LINK_OLD_MS && loadedAt.current > 0 && !resume.current)
      renewHere(true)
  }

  // The element may load, or fail, before it is in the page; nobody hears its events then.
  const settle = useEffectEvent(() => {
    if (video.current?.error) onFailed()
    else if ((video.current?.readyState ?? 0) > 0) onLoaded()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every version is a new element.
  useEffect(() => settle(), [version])

  if (broken) {
    return (
      <div className={styles.broken} role="alert">
        <p>This media has an error</p>
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <MediaController
      className={styles.controller ?? ''}
      hotkeys={withinViewer ? 'noarrowleft noarrowright' : ''}
      autohide="3"
    >
      {/* biome-ignore lint/a11y/useMediaCaption: what people upload has no captions. */}
      <video
        key={version}
        slot="media"
        ref={video}
        src={media.url ?? ''}
        poster={media.poster ?? ''}
        preload="metadata"
        playsInline
        autoPlay={autoPlay && version === 0}
        aria-label={media.title || 'Video'}
        onLoadedMetadata={onLoaded}
        onPlay={onPlay}
        onError={onFailed}
      />
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <MediaControlBar className={styles.bar ?? ''} data-viewer-controls>
        <MediaPlayButton />
        <MediaTimeRange />
        <MediaTimeDisplay showDuration noToggle />
        <MediaMuteButton />
        <MediaVolumeRange className={styles.volume ?? ''} />
        <MediaFullscreenButton />
      </MediaControlBar>
    </MediaController>
  )
}
