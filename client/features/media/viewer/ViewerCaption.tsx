import { IconLockOpen } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { ShareButton } from '../../../ui/ShareButton.tsx'
import type { FeedMedia } from '../api.ts'
import { viewerTexts as texts } from './texts.ts'
import { ViewerFollow } from './ViewerFollow.tsx'
import styles from './ViewerWindow.module.css'

type ViewerCaptionProps = { media: FeedMedia; onUnlock?: (media: FeedMedia) => void }

/** Under the picture: what it is and whose, with the ways on. What is locked is unlocked where the viewer was opened, or on its own page. */
export function ViewerCaption({ media, onUnlock }: ViewerCaptionProps) {
  const { username, title, price, locked = false } = media
  return (
    <div className={styles.caption} data-video={(media.type === 'video' && !locked) || undefined}>
      {title && <p className={styles.title}>{title}</p>}
      <div className={styles.links}>
        <Link className={styles.owner} to={paths.profile(username)} replace>
          {media.profileImage !== undefined && <Avatar src={media.profileImage} name={username} size={28} />}
          {username}
        </Link>
        <ViewerFollow key={username} username={username} />
        <ShareButton
          path={paths.media(media._id)}
          title={media.title || media.username}
          className={styles.act}
        />
        {locked && onUnlock ? (
          <button type="button" className={styles.unlock} onClick={() => onUnlock(media)}>
            <IconLockOpen size={18} stroke={1.75} aria-hidden />
            {price ? texts.unlockFor(price) : texts.unlock}
          </button>
        ) : locked ? (
          <Link className={styles.unlock} to={paths.media(media._id)} replace>
            <IconLockOpen size={18} stroke={1.75} aria-hidden />
            {price ? texts.unlockFor(price) : texts.unlock}
          </Link>
        ) : (
          <Link className={styles.act} to={paths.media(media._id)} replace>
            {texts.viewMedia}
          </Link>
        )}
      </div>
    </div>
  )
}
