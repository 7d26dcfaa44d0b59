import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react'
import { type Place, place, rowsOf } from '../../../../../contract/media-wall.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { useNearby } from '../../../../ui/list/use-nearby.ts'
import { stateTexts } from '../../../../ui/texts.ts'
import type { FeedMedia } from '../../api.ts'
import styles from './MediaWall.module.css'
import { useWallSize } from './use-wall-size.ts'
import { WallTile } from './WallTile.tsx'

// Its place is kept, and few walls have one.
const EmbedTile = lazyPart(() => import('./EmbedTile.tsx').then((module) => module.EmbedTile))

type MediaWallProps = {
  /** The list's name for screen readers. */
  label: string
  items: readonly FeedMedia[]
  onOpen: (media: FeedMedia) => void
  /** A small thing in the upper corner of a tile. */
  corner?: (media: FeedMedia) => ReactNode
  /** The id of an item that is drawn wherever it stands. */
  kept?: string | null
}

/** Fewer all stand in the document, where the browser's own search finds them. */
const DRAWN_WHOLE = 150

/** Pictures in their own proportions: edge to edge on a phone, every box reserved before its picture arrives. */
export function MediaWall({ label, items, onOpen, corner, kept = null }: MediaWallProps) {
  const { columns, columnWidth } = useWallSize()
  const places = useMemo(() => place(items, columns, columnWidth), [items, columns, columnWidth])
  const rows = rowsOf(places)
  const inside = useRef<HTMLDivElement>(null)
  const nearby = useNearby(inside, rows, items.length > DRAWN_WHOLE)
  const [focused, setFocused] = useState<string | null>(null)
  const near = (index: number) => {
    const at = places[index]
    return at !== undefined && at.row - 1 < nearby.to && at.row - 1 + at.span > nearby.from
  }
  // The keyboard moves from where it is to the item before or after.
  const stays = [kept, focused].flatMap((id) => {
    const index = id === null ? -1 : items.findIndex((media) => media._id === id)
    return index < 0 ? [] : [index - 1, index, index + 1]
  })
  return (
    <section className={styles.wall} aria-label={label}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only watches which of its tiles has the focus. */}
      <div
        ref={inside}
        className={styles.rows}
        style={{ '--height': rows } as CSSProperties}
        onFocus={({ target }) =>
          setFocused(target.closest('[data-media-id]')?.getAttribute('data-media-id') ?? null)
        }
        // On its way to another tile, which must still be there when it arrives.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setFocused(null)
        }}
      >
        {items.map((media, index) =>
          near(index) || stays.includes(index) ? (
            <div
              key={media._id}
              className={styles.box}
              style={boxStyle(places[index])}
              data-media-id={media._id}
            >
              {media.redGif && !media.locked ? (
                <EmbedTile media={media} />
              ) : (
                <WallTile
                  media={media}
                  onOpen={onOpen}
                  eager={index < columns * 2}
                  corner={corner?.(media)}
                />
              )}
            </div>
          ) : null,
        )}
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
    <output className={styles.wall} aria-label={stateTexts.loading}>
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

function boxStyle(at: Place | undefined) {
  return at ? { gridColumn: at.column, gridRow: `${at.row} / span ${at.span}` } : {}
}
