import { useBrandName } from '../lib/config.ts'
import styles from './Logo.module.css'

/** The mark and the brand's name. */
export function Logo() {
  const brand = useBrandName()
  return (
    <span className={styles.logo}>
      <svg viewBox="12 8 42 46" width="22" height="24" fill="none" aria-hidden="true">
        <path
          d="M19 47V21.5C19 17.9 21.9 15 25.5 15H46M19 33h14"
          stroke="currentColor"
          strokeWidth="6"
          strokeLinecap="round"
        />
        <circle className={styles.dot} cx="43.5" cy="33" r="4.5" />
      </svg>
      <span className={styles.name}>{brand}</span>
    </span>
  )
}
