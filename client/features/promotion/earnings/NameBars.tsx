import type { CSSProperties } from 'react'
import styles from './earnings.module.css'

type NameBarsProps = {
  label: string
  rows: readonly { key: string; name: string; value: number }[]
  /** How a value is written. */
  format: (value: number) => string
}

/** Bars beside their whole names, which no axis has room for; each says its value in words. */
export function NameBars({ label, rows, format }: NameBarsProps) {
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <ol className={styles.bars} aria-label={label}>
      {rows.map(({ key, name, value }) => (
        <li key={key}>
          <span className={styles.barName}>{name}</span>
          <span className={styles.barValue}>{format(value)}</span>
          <span
            className={styles.bar}
            style={{ '--part': `${(Math.max(value, 0) / most) * 100}%` } as CSSProperties}
            aria-hidden
          />
        </li>
      ))}
    </ol>
  )
}
