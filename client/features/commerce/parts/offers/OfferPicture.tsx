import { IconLock } from '@tabler/icons-react'
import { BlurPreview } from '../../../../ui/BlurPreview.tsx'
import type { FeedMedia } from '../../../media/api.ts'
import { WallTile } from '../../../media/parts/wall/WallTile.tsx'
import styles from './OfferPicture.module.css'

type OfferPictureProps = { media: FeedMedia; onOpen?: (media: FeedMedia) => void }

/** A small picture, blurred while it's locked; price and kind stand beside it in words. */
export function OfferPicture({ media, onOpen }: OfferPictureProps) {
  if (!media.locked) return <WallTile media={media} ratio={1} sizes="4rem" {...(onOpen ? { onOpen } : {})} />
  return (
    <span className={styles.locked}>
      <BlurPreview hash={media.preview} />
      <IconLock className={styles.lock} size={18} stroke={1.75} aria-hidden />
    </span>
  )
}
