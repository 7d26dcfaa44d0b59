import { useQuery } from '@tanstack/react-query'
import { Hidden } from '../../../ui/Hidden.tsx'
import { unreadQuery } from '../api.ts'
import { conversationsTexts } from '../texts.ts'
import styles from './UnreadBadge.module.css'

/** The server counts no further. */
const MOST = 99

/** How many conversations are unread, from the first one on; stands within a link or beside its label. */
export function UnreadBadge() {
  const { data } = useQuery(unreadQuery)
  const count = data?.items.length ?? 0
  if (count === 0) return null
  return (
    <>
      <span className={styles.badge} aria-hidden>
        {count > MOST ? `${MOST}+` : count}
      </span>
      <Hidden>{conversationsTexts.unreadConversations(count)}</Hidden>
    </>
  )
}
