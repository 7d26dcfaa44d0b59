import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Media } from '../api.ts'
import styles from './MediaWall.module.css'
import { place } from './placement.ts'
import { WallTile } from './WallTile.tsx'

type MediaWallProps = {
  /** What is shown here, for screen readers. */
  label: string
  items: readonly Media[]
  onOpen: (media: Media) => void
  /** A small thing in the upper corner of a tile. */
  corner?: (media: Media) => ReactNode
}

/** How many columns fit the window; the same widths as in the style sheet. */
function useColumns(): number {
  const three = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  const four = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  return four ? 4 : three ? 3 : 2
}

/** Pictures in their own proportions: edge to edge on a phone, every box reserved before its picture arrives. */
export function MediaWall({ label, items, onOpen, corner }: MediaWallProps) {
  const columns = useColumns()
  const places = place(items, columns)
  return (
    <section className={styles.wall} aria-label={label}>
      <div className={styles.rows}>
        {items.map((media, index) => (
          <div key={media._id} className={styles.box} style={boxStyle(places[index])}>
            <WallTile media={media} onOpen={onOpen} eager={index < columns * 2} corner={corner?.(media)} />
          </div>
        ))}
      </div>
    </section>
  )
}

const WAITING = [1.25, 0.8, 1, 1.5, 0.7, 1.25, 1, 1.4, 0.75, 1.1].map((ratio, key) => ({
  key,
  width: 100,
  height: 100 * ratio,
}))

/** The wall while its first page loads. */
export function MediaWallSkeleton() {
  const places = place(WAITING, useColumns())
  return (
    <output className={styles.wall} aria-label="Loading">
      <div className={styles.rows}>
        {WAITING.map(({ key }) => (
          <span key={key} className={styles.box} style={boxStyle(places[key])}>
            <span className={styles.waiting} />
          </span>
        ))}
      </div>
    </output>
  )
}

function boxStyle(at: ReturnType<typeof place>[number] | undefined) {
  return at ? { gridColumn: at.column, gridRow: `${at.row} / span ${at.span}` } : {}
}
