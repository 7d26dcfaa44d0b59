import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Money } from '../../../ui/Money.tsx'
import type { FeedMedia } from '../api.ts'
import styles from './ViewerWindow.module.css'

/** Under the picture: what it is and whose, with the ways on. */
export function ViewerCaption({ media }: { media: FeedMedia }) {
  return (
    <div className={styles.caption} data-video={media.type === 'video' || undefined}>
      {media.title && <p className={styles.title}>{media.title}</p>}
      <p className={styles.links}>
        <Link to={paths.profile(media.username)} replace>
          {media.username}
        </Link>
        {media.showInStore && <Money value={media.price ?? ''} />}
        <Link to={paths.media(media._id)} replace>
          View Media
        </Link>
      </p>
    </div>
  )
}
