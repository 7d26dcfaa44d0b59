import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Duration } from '../../../ui/Duration.tsx'
import type { FeedMedia } from '../api.ts'
import { WallTile } from '../parts/wall/WallTile.tsx'
import styles from './MediaCard.module.css'
import { libraryTexts as texts } from './texts.ts'

type MediaCardProps = {
  media: FeedMedia
  onOpen: (media: FeedMedia) => void
  eager?: boolean
  /** In place of the creator's name, which stands on the picture where it comes with the item. */
  note?: ReactNode
}

/** One item with words under its picture: title, whose it is, and the way to its own page. */
export function MediaCard({ media, onOpen, eager = false, note }: MediaCardProps) {
  return (
    <article className={styles.card} data-media-id={media._id}>
      <div className={styles.picture}>
        <WallTile
          media={media}
          onOpen={onOpen}
          eager={eager}
          sizes="(min-width: 79em) 24rem, (min-width: 62em) 31vw, 50vw"
        />
      </div>
      <div className={styles.words}>
        <p className={styles.title}>{media.title || texts.untitled(media.type)}</p>
        {media.duration != null && (
          <p className={styles.length}>
            {texts.video}, <Duration seconds={media.duration} />
          </p>
        )}
        <p className={styles.links}>
          {note ?? (
            <Link className={styles.who} to={paths.profile(media.username)}>
              {media.username}
            </Link>
          )}
          <Link
            className={styles.view}
            to={paths.media(media._id)}
            aria-label={texts.viewMediaOf(media.title || media.type)}
          >
            {texts.viewMedia}
          </Link>
        </p>
      </div>
    </article>
  )
}
