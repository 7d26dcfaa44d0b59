import { IconArrowUpRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import type { FeedMedia } from '../../api.ts'
import styles from './EmbedTile.module.css'
import { TileOwner } from './TileOwner.tsx'
import { wallTexts } from './texts.ts'

// Few walls hold one.
const EmbedFrame = lazyPart(() => import('../../embed/EmbedFrame.tsx').then((module) => module.EmbedFrame))

/** An external gif in a grid: it plays in its place, and its own page is a tap on the corner away. */
export function EmbedTile({ media }: { media: FeedMedia }) {
  return (
    <div className={styles.tile}>
      <EmbedFrame media={{ ...media, redGif: media.redGif ?? '' }} fill />
      <TileOwner media={media} onTop />
      <Link className={styles.more} to={paths.media(media._id)} aria-label={wallTexts.view(media.title)}>
        <IconArrowUpRight size={18} stroke={1.75} aria-hidden />
      </Link>
    </div>
  )
}
