import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { afterLogin } from '../lib/redirect.ts'
import styles from './TextLink.module.css'

/** A link within text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={styles.link} to={to}>
      {children}
    </Link>
  )
}

/** A link within text to log in or sign up, which leads back to this page afterward. */
export function ReturningTextLink({ to, children }: { to: string; children: ReactNode }) {
  const { pathname, search } = useLocation()
  return (
    <Link className={styles.link} to={to} onClick={() => afterLogin.save(pathname + search)}>
      {children}
    </Link>
  )
}
