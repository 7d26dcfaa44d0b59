import type { ReactNode } from 'react'
import { pictureOf, sourcesOf } from '../../../../../contract/media-links.ts'
import { WALL_SIZES } from '../../../../../contract/media-wall.ts'
import type { FeedMedia } from '../../api.ts'
import { MediaTile, type TileMedia } from '../tile/MediaTile.tsx'
import { useRenewed } from '../use-renewed.ts'
import { MovingPreview } from './MovingPreview.tsx'
import { TileOwner } from './TileOwner.tsx'
import styles from './WallTile.module.css'

type WallTileProps = {
  media: FeedMedia
  /** Not given where it only shows what something is. */
  onOpen?: (media: FeedMedia) => void
  /** Where a tap leads, instead. */
  to?: string
  eager?: boolean
  /** Width over height; without it the tile fills the box that it stands in. */
  ratio?: number
  sizes?: string
  /** Locked items show their price although they are not sold by themselves. */
  priced?: boolean
  corner?: ReactNode
}

/** One item in a grid: its picture with a link that works, a moving preview for videos, a placeholder when locked. */
export function WallTile({
  media: given,
  onOpen,
  to,
  eager = false,
  ratio,
  sizes = WALL_SIZES,
  priced = false,
  corner,
}: WallTileProps) {
  const { media, version, renew, worked } = useRenewed(given)
  const tile = (
    <MediaTile
      // A photo that failed is requested again after its link was renewed.
      version={version}
      media={faceOf(media, priced || media.showInStore === true)}
      {...(onOpen ? { onOpen: () => onOpen(media) } : {})}
      {...(to === undefined ? {} : { to })}
      eager={eager}
      sizes={sizes}
      factsOnTop={given.profileImage !== undefined}
      {...(ratio ? { ratio } : {})}
      {...(corner ? { corner } : {})}
    />
  )
  return (
    <div className={styles.tile}>
      <div className={styles.face} onErrorCapture={renew} onLoadCapture={worked}>
        {media.type === 'video' && media.url ? <MovingPreview url={media.url}>{tile}</MovingPreview> : tile}
      </div>
      <TileOwner media={given} />
    </div>
  )
}

/** The tile of an item. */
function faceOf(media: FeedMedia, priced: boolean): TileMedia {
  return {
    type: media.type,
    picture: pictureOf(media),
    sources: sourcesOf(media),
    preview: media.preview,
    title: media.title,
    price: priced ? (media.price ?? '') : '',
    duration: media.duration ?? null,
    locked: media.locked === true,
  }
}
