import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import styles from './BackLink.module.css'

/** Above the title of a page, the way to the one that it belongs to (`back` of `Page`). */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={styles.back}>
      <IconArrowLeft size={18} stroke={1.5} aria-hidden />
      {children}
    </Link>
  )
}
