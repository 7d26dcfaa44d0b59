import type { ReactNode } from 'react'
import type { FeedMedia } from '../api.ts'
import { EmbedTile } from './EmbedTile.tsx'
import styles from './MediaWall.module.css'
import { place } from './placement.ts'
import { useWallSize } from './use-wall-size.ts'
import { WallTile } from './WallTile.tsx'

type MediaWallProps = {
  /** What is shown here, for screen readers. */
  label: string
  items: readonly FeedMedia[]
  onOpen: (media: FeedMedia) => void
  /** A small thing in the upper corner of a tile. */
  corner?: (media: FeedMedia) => ReactNode
}

/** Pictures in their own proportions: edge to edge on a phone, every box reserved before its picture arrives. */
export function MediaWall({ label, items, onOpen, corner }: MediaWallProps) {
  const { columns, columnWidth } = useWallSize()
  const places = place(items, columns, columnWidth)
  return (
    <section className={styles.wall} aria-label={label}>
      <div className={styles.rows}>
        {items.map((media, index) => (
          <div
            key={media._id}
            className={styles.box}
            style={boxStyle(places[index])}
            data-media-id={media._id}
          >
            {media.redGif && !media.locked ? (
              <EmbedTile media={media} />
            ) : (
              <WallTile media={media} onOpen={onOpen} eager={index < columns * 2} corner={corner?.(media)} />
            )}
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
  const { columns, columnWidth } = useWallSize()
  const places = place(WAITING, columns, columnWidth)
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
