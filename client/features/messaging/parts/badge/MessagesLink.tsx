import { IconMessageCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../../../lib/paths.ts'
import { Hidden } from '../../../../ui/Hidden.tsx'
import styles from './MessagesLink.module.css'
import { UnreadBadge } from './UnreadBadge.tsx'

/** To the conversations, with how many of them are unread; fills what is around it. */
export function MessagesLink({ label }: { label: string }) {
  return (
    <Link to={paths.chats} className={styles.link}>
      <IconMessageCircle size={22} stroke={1.5} aria-hidden />
      <Hidden>{label}</Hidden>
      <span className={styles.badge}>
        <UnreadBadge />
      </span>
    </Link>
  )
}
