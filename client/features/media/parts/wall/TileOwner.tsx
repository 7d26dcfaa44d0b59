import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { Avatar } from '../../../../ui/Avatar.tsx'
import type { FeedMedia } from '../../api.ts'
import styles from './TileOwner.module.css'

/** Over a tile: whose it is, a way to their profile. Nothing in lists of one person's items. */
export function TileOwner({ media, onTop = false }: { media: FeedMedia; onTop?: boolean }) {
  const { username, profileImage } = media
  if (profileImage === undefined) return null
  return (
    <div className={styles.line} data-top={onTop || undefined}>
      <Link className={styles.owner} to={paths.profile(username)}>
        <Avatar src={profileImage} name={username} size={24} />
        <span className={styles.username}>{username}</span>
      </Link>
    </div>
  )
}
