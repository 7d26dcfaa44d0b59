import type { ReactNode } from 'react'
import styles from './MediaGrid.module.css'
import { stateTexts } from './texts.ts'

/** `label` names the grid where no heading above it does. */
type MediaGridProps = { children: ReactNode; label?: string }

/** A grid of tiles: edge to edge on a phone, 2, 3 or 4 columns, every box reserved before its picture arrives. */
export function MediaGrid({ children, label }: MediaGridProps) {
  if (label === undefined) return <div className={styles.grid}>{children}</div>
  return (
    <section className={styles.grid} aria-label={label}>
      {children}
    </section>
  )
}

/** The grid while its first page loads. */
export function MediaGridSkeleton({ tiles = 8, ratio = 4 / 5 }: { tiles?: number; ratio?: number }) {
  return (
    <output className={styles.grid} aria-label={stateTexts.loading}>
      {Array.from({ length: tiles }, (_, tile) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all the same and never move.
        <span key={tile} className={styles.waiting} style={{ aspectRatio: ratio }} />
      ))}
    </output>
  )
}
