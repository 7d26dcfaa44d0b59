import type { ReactNode } from 'react'
import styles from './Hidden.module.css'

/** Words that are only read out. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>
}
