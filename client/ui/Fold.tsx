import type { ReactNode } from 'react'
import styles from './Fold.module.css'

/** What few people need, behind its title; `open` says how it starts. */
export function Fold({
  title,
  open = false,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}) {
  return (
    <details open={open}>
      <summary className={styles.title}>{title}</summary>
      <div className={styles.body}>{children}</div>
    </details>
  )
}
