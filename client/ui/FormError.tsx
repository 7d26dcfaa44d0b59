import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './FormError.module.css'

/** The error of the whole form, read out at once; nothing while there is none. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert">
      {children && (
        <p className={styles.error}>
          <IconAlertCircle size={18} stroke={1.75} aria-hidden className={styles.icon} />
          <span>{children}</span>
        </p>
      )}
    </div>
  )
}
