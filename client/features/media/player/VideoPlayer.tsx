import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { pictureOf } from '../../../../contract/media-links.ts'
import { BlurPreview } from '../../../ui/BlurPreview.tsx'
import { Duration } from '../../../ui/Duration.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { FeedMedia } from '../api.ts'
import { useRenewed } from '../parts/use-renewed.ts'
import type { PlayerProps } from './PlayerControls.tsx'
import { posterTexts } from './poster-texts.ts'
import styles from './VideoPlayer.module.css'

const loadControls = () => import('./PlayerControls.tsx').then((module) => module.PlayerControls)
// A failure to preload is shown only when the video is played.
const loadAhead = () => void loadControls().catch(() => undefined)
const PlayerControls = lazyPart(loadControls)

/** A video in a box of its own proportions: its poster first, and the player, with its code, once it is played. */
export function VideoPlayer(props: PlayerProps) {
  const [started, setStarted] = useState(props.autoPlay ?? false)
  const { width, height, preview } = props.media
  return (
    <div
      className={styles.box}
      style={{ aspectRatio: `${width} / ${height}` }}
      data-viewer={props.withinViewer || undefined}
    >
      {!props.withinViewer && <BlurPreview hash={preview} />}
      {started ? (
        <PlayerControls {...props} autoPlay />
      ) : (
        <Poster media={props.media} onPlay={() => setStarted(true)} />
      )}
    </div>
  )
}

function Poster({ media: given, onPlay }: { media: FeedMedia; onPlay: () => void }) {
  const { media, version, renew, worked } = useRenewed(given)
  const poster = pictureOf(media)
  return (
    <button
      type="button"
      className={styles.start}
      onClick={onPlay}
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
    >
      {poster && (
        <img
          key={version}
          className={styles.poster}
          src={poster}
          alt=""
          draggable={false}
          onLoad={worked}
          onError={renew}
        />
      )}
      <span className={styles.play}>
        <IconPlayerPlayFilled size={30} role="img" aria-label={posterTexts.play(media.title)} />
      </span>
      {media.duration != null && (
        <span className={styles.length}>
          <Duration seconds={media.duration} />
        </span>
      )}
    </button>
  )
}
