import './allow-styles.ts'
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
import { type ComponentRef, useEffect, useEffectEvent, useRef, useState } from 'react'
import { pictureOf, streamOf } from '../../../../contract/media-links.ts'
import { Button } from '../../../ui/core/Button.tsx'
import type { FeedMedia } from '../api.ts'
import { useRenewed } from '../parts/use-renewed.ts'
import { PlayerSettings } from './PlayerSettings.tsx'
import { playerTexts } from './texts.ts'
import { usePosition } from './use-position.ts'
import { mayStream, useStream } from './use-stream.ts'
import styles from './VideoPlayer.module.css'
import { Watermark } from './Watermark.tsx'

export type PlayerProps = {
  media: FeedMedia
  autoPlay?: boolean
  /** Left and right arrows then move between items instead of seeking. */
  withinViewer?: boolean
}

/** Links live 300 s; a paused file gets a new one before it plays on, when it was fetched longer ago than this. */
const LINK_OLD_MS = 240_000

/** Play, seek, sound, quality, speed and full screen. A link that ran out is replaced at the same place of the video. */
export function PlayerControls({ media: given, autoPlay = false, withinViewer = false }: PlayerProps) {
  const { media, version, broken, renew, worked, retry } = useRenewed(given)
  const [streaming, setStreaming] = useState(streamOf(given) !== null && mayStream())
  const [speed, setSpeed] = useState(1)
  const video = useRef<HTMLVideoElement>(null)
  const resume = useRef<{ at: number; playing: boolean } | null>(null)
  const loadedAt = useRef(0)
  const position = usePosition(media._id)
  // A playing video keeps its address, even if the item's links were renewed for another reason.
  const [file, setFile] = useState({ version, url: media.url ?? '' })
  if (file.version !== version) setFile({ version, url: media.url ?? '' })

  const startAt = () => resume.current?.at ?? position.begin()
  const keepPlace = (playing: boolean) => {
    const at = video.current?.currentTime ?? 0
    resume.current = { at: at > 0 ? at : startAt(), playing }
  }
  const isPlaying = () => (loadedAt.current === 0 ? autoPlay : video.current?.paused === false)
  const qualities = useStream({
    media,
    video,
    wanted: streaming && !broken,
    startAt,
    onFailed: () => {
      keepPlace(isPlaying())
      setStreaming(false)
    },
  })

  const onFailed = () => {
    // A stream tells its failures itself.
    if (streaming) return
    keepPlace(isPlaying())
    renew()
  }
  const onLoaded = () => {
    const element = video.current
    const before = resume.current
    const at = startAt()
    resume.current = null
    loadedAt.current = performance.now()
    worked()
    if (!element) return
    element.playbackRate = speed
    if (!streaming && at > 0 && at < element.duration) element.currentTime = at
    if (before?.playing) void element.play().catch(() => undefined)
  }
  const onPlay = () => {
    const age = performance.now() - loadedAt.current
    if (streaming || loadedAt.current === 0 || resume.current || age <= LINK_OLD_MS) return
    keepPlace(true)
    renew()
  }
  const onTime = () => {
    if (video.current && loadedAt.current > 0 && !resume.current) position.onTime(video.current)
  }

  // The element may load, or fail, before it is in the page, where nobody would get its events.
  const settle = useEffectEvent(() => {
    if (video.current?.error) onFailed()
    else if ((video.current?.readyState ?? 0) > 0) onLoaded()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every version is a new element.
  useEffect(() => settle(), [version, streaming])

  // The button that started it is gone: the player handles keys from now on.
  const controller = useRef<ComponentRef<typeof MediaController>>(null)
  useEffect(() => controller.current?.focus({ preventScroll: true }), [])

  if (broken) {
    return (
      <div className={styles.broken} role="alert">
        <p>{playerTexts.error}</p>
        <Button variant="default" onClick={retry}>
          {playerTexts.tryAgain}
        </Button>
      </div>
    )
  }
  return (
    <MediaController
      ref={controller}
      tabIndex={-1}
      className={styles.controller ?? ''}
      hotkeys={withinViewer ? 'noarrowleft noarrowright' : ''}
      autohide="3"
    >
      <video
        key={streaming ? 'stream' : version}
        slot="media"
        ref={video}
        {...(streaming ? {} : { src: file.url })}
        poster={pictureOf(media) ?? ''}
        preload="metadata"
        playsInline
        autoPlay={autoPlay && version === 0}
        aria-label={media.title || playerTexts.video}
        onLoadedMetadata={onLoaded}
        onPlay={onPlay}
        onTimeUpdate={onTime}
        onEnded={onTime}
        onError={onFailed}
      />
      {media.watermarked && <Watermark />}
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <MediaControlBar className={styles.bar ?? ''} data-viewer-controls>
        <MediaPlayButton />
        <MediaTimeRange />
        <MediaTimeDisplay showDuration noToggle />
        <MediaMuteButton />
        <MediaVolumeRange className={styles.volume ?? ''} />
        <PlayerSettings
          qualities={qualities}
          speed={speed}
          onSpeed={(next) => {
            setSpeed(next)
            if (video.current) video.current.playbackRate = next
          }}
        />
        <MediaFullscreenButton />
      </MediaControlBar>
    </MediaController>
  )
}
