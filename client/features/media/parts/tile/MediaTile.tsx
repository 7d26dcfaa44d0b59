import { IconLock, IconPhoto, IconPlayerPlayFilled, IconVideo } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { BlurPreview } from '../../../../ui/BlurPreview.tsx'
import { Duration } from '../../../../ui/Duration.tsx'
import { Hidden } from '../../../../ui/Hidden.tsx'
import { Money } from '../../../../ui/Money.tsx'
import styles from './MediaTile.module.css'
import { tileTexts } from './texts.ts'

export type TileMedia = {
  type: 'image' | 'video'
  /** The picture, or the poster of a video; null when it is locked. */
  picture: string | null
  /** The same picture in other widths (pixels), for the browser to choose from. */
  sources?: readonly { url: string; width: number }[]
  /** Thumbhash in base64. */
  preview: string
  title: string
  /** Money text; empty or absent when it is not sold. */
  price?: string
  /** Seconds of a video. */
  duration?: number | null
  /** The blurred preview with lock and price. */
  locked: boolean
}

type MediaTileProps = {
  media: TileMedia
  /** Where a tap leads; or else `onOpen`. */
  to?: string
  onOpen?: () => void
  /** Width over height of the box that is reserved. */
  ratio?: number
  /** For the first row: fetched at once instead of when it comes near. */
  eager?: boolean
  /** How wide the tile is shown, in the words of the `sizes` attribute. */
  sizes?: string
  /** A small thing in the upper corner, for example a menu or a check mark. */
  corner?: ReactNode
  /** Price, kind and duration stand at the upper edge: something else has the lower one. */
  factsOnTop?: boolean
  /** Another one loads the picture again, even by the same address. */
  version?: number
}

/** One picture or video in a grid: the picture first, everything else in one small line. */
export function MediaTile({
  media,
  to,
  onOpen,
  ratio = 4 / 5,
  eager = false,
  sizes,
  corner,
  factsOnTop = false,
  version,
}: MediaTileProps) {
  const name = nameOf(media)
  const inside = (
    <TileFace
      key={version}
      media={media}
      name={name}
      eager={eager}
      sizes={sizes ?? '(min-width: 62em) 18rem, 50vw'}
    />
  )
  return (
    <div className={styles.tile} style={{ aspectRatio: ratio }} data-facts={factsOnTop ? 'top' : undefined}>
      {to !== undefined ? (
        <Link className={styles.hit} to={to}>
          {inside}
        </Link>
      ) : onOpen ? (
        <button type="button" className={styles.hit} onClick={onOpen}>
          {inside}
        </button>
      ) : (
        inside
      )}
      {corner && <div className={styles.corner}>{corner}</div>}
    </div>
  )
}

function TileFace({
  media,
  name,
  eager,
  sizes,
}: {
  media: TileMedia
  name: string
  eager: boolean
  sizes: string
}) {
  const { type, picture, locked, price, duration, sources = [] } = media
  const [shown, setShown] = useState(false)
  // The address that failed: another one, as of a renewed link, is tried again.
  const [failing, setFailing] = useState<string | null>(null)
  const failed = picture !== null && failing === picture
  const isVideo = type === 'video'
  return (
    <>
      <Hidden>{name}</Hidden>
      <BlurPreview hash={media.preview} />
      {picture && !locked && !failed && (
        <img
          className={styles.picture}
          data-shown={eager || shown || undefined}
          src={picture}
          {...(sources.length > 1
            ? { srcSet: sources.map(({ url, width }) => `${url} ${width}w`).join(', '), sizes }
            : {})}
          alt=""
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          draggable={false}
          onLoad={() => setShown(true)}
          onError={() => setFailing(picture)}
        />
      )}
      {failed && <span className={styles.failed}>{tileTexts.error}</span>}
      {locked && (
        <span className={styles.lock}>
          <IconLock size={22} stroke={1.5} aria-hidden />
        </span>
      )}
      {(locked || isVideo) && (
        <span className={styles.line}>
          {locked && price && <Money value={price} />}
          <span className={styles.kind}>
            {isVideo ? (
              locked ? (
                <IconVideo size={15} stroke={1.75} aria-hidden />
              ) : (
                <IconPlayerPlayFilled size={12} aria-hidden />
              )
            ) : (
              <IconPhoto size={15} stroke={1.75} aria-hidden />
            )}
            {isVideo && duration != null && <Duration seconds={duration} />}
          </span>
        </span>
      )}
    </>
  )
}

function nameOf({ title, type, locked }: TileMedia): string {
  const what = title || (type === 'video' ? tileTexts.video : tileTexts.photo)
  return locked ? tileTexts.locked(what) : what
}
