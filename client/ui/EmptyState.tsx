import type { ComponentType, ReactNode } from 'react'
import styles from './StateBlock.module.css'

type EmptyStateProps = {
  Icon?: ComponentType<{ size?: number; stroke?: number }>
  title: string
  /** The purpose of this place, in one or two sentences. */
  children?: ReactNode
  /** The first step. */
  action?: ReactNode
  /** Said in a line or two where a list would begin: for one part of a page among others. */
  compact?: boolean
}

/** Nothing is here yet: what the place is for, and the first step. */
export function EmptyState({ Icon, title, children, action, compact }: EmptyStateProps) {
  return (
    <div className={styles.block} data-compact={compact}>
      {Icon && (
        <span className={styles.icon}>
          <Icon size={26} stroke={1.5} />
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
