import type { ReactNode } from 'react'
import styles from './Card.module.css'

/** A surface with a hairline; `flush` lets rows or pictures reach its edges. */
export function Card({ children, flush = false }: { children: ReactNode; flush?: boolean }) {
  return (
    <div className={styles.card} data-flush={flush || undefined}>
      {children}
    </div>
  )
}
