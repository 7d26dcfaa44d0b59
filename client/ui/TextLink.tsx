import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './TextLink.module.css'

/** A link within text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles.link} to={to}>
      {children}
    </Link>
  )
}
