import styles from './CountBadge.module.css'

/** Badges count no further. */
const MOST = 99

/** A count on a mark of the accent’s color; what it counts is said beside it, for those who don’t see it. */
export function CountBadge({ count }: { count: number }) {
  return (
    <span className={styles.badge} aria-hidden>
      {count > MOST ? `${MOST}+` : count}
    </span>
  )
}
