import type { ReactNode } from 'react'
import styles from './Fold.module.css'

/** Content that few people need, behind its title; `open` says how it starts. */
export function Fold({
  title,
  open = false,
  onOpen,
  children,
}: {
  title: string
  open?: boolean
  onOpen?: () => void
  children: ReactNode
}) {
  return (
    <details open={open} onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}>
      <summary className={styles.title}>{title}</summary>
      <div className={styles.body}>{children}</div>
    </details>
  )
}
