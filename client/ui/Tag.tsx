import type { ReactNode } from 'react'
import styles from './Tag.module.css'

export type Tone = 'neutral' | 'yours' | 'gold' | 'good' | 'warning' | 'bad'

/** A short state in words; its color only underlines them. */
export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  )
}
