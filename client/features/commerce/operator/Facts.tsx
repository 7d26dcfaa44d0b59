import type { ReactNode } from 'react'
import styles from './operator.module.css'

/** Something that is known; `wide` for what is as long as a line. */
type Fact = { label: string; value: ReactNode; wide?: boolean }

/** Facts with their names. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value, wide }) => (
        <div key={label} data-wide={wide}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
