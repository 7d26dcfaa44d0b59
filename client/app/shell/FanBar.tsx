import { IconHome, IconMessageCircle, IconPhotoHeart, IconSearch } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { UnreadBadge } from '../../features/messaging/parts/badge/UnreadBadge.tsx'
import { paths } from '../../lib/paths.ts'
import styles from './FanBar.module.css'
import { fanBarTexts as texts } from './fan-bar-texts.ts'

const LINKS = [
  { to: paths.dashboard, label: texts.home, Icon: IconHome },
  { to: paths.discover, label: texts.browse, Icon: IconSearch },
  { to: paths.yourContent, label: texts.yourContent, Icon: IconPhotoHeart },
  { to: paths.chats, label: texts.messages, Icon: IconMessageCircle },
]

/** A fan's places at the end of a phone's window, as a creator's pages have theirs (`CreatorLayout`). */
export function FanBar() {
  return (
    <nav className={styles.bar} aria-label={texts.label}>
      {LINKS.map(({ to, label, Icon }) => (
        <NavLink key={to} to={to} end className={styles.link ?? ''}>
          <Icon size={22} stroke={1.5} aria-hidden />
          {label}
          {to === paths.chats && (
            <span className={styles.badge}>
              <UnreadBadge />
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  )
}
