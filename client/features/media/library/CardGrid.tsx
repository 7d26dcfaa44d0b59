import type { ReactNode } from 'react'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import styles from './CardGrid.module.css'

/** Pictures with words under them, in 2 columns, 3 on large screens. */
export function CardGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.grid} aria-label={label}>
      {children}
    </section>
  )
}

/** The grid while its first page loads. */
export function CardGridSkeleton() {
  return (
    <output className={styles.grid} aria-label={stateTexts.loading}>
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <span key={card} className={styles.waiting}>
          <span className={styles.picture} />
          <Skeleton width="70%" />
        </span>
      ))}
    </output>
  )
}
