import type { ReactNode } from 'react'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import styles from './LibraryGrid.module.css'
import type { LibraryView } from './view.ts'

type LibraryGridProps = { label: string; view: LibraryView; children: ReactNode }

/** Many small cards, as many beside one another as there is room for, or a row for each. */
export function LibraryGrid({ label, view, children }: LibraryGridProps) {
  return (
    <section className={styles.grid} data-view={view} aria-label={label}>
      {children}
    </section>
  )
}

const WAITING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']

/** The same while its first page loads. */
export function LibraryGridSkeleton({ view }: { view: LibraryView }) {
  return (
    <output className={styles.grid} data-view={view} aria-label={stateTexts.loading}>
      {WAITING.map((card) => (
        <span key={card} className={styles.waiting}>
          <span className={styles.picture} />
          <Skeleton width="70%" />
        </span>
      ))}
    </output>
  )
}
