import type { CSSProperties, ReactNode, RefObject } from 'react'
import { useNearby } from '../list/use-nearby.ts'
import styles from './DataTable.module.css'

/** Shorter tables stand in the document whole, where the browser’s own search finds everything. */
const DRAWN_WHOLE = 100

/**
 * The rows of a table, all of the same height: of more than a hundred those near the window, and gaps as high as the
 * others. `place` is the row that the keyboard is at, which stays wherever the window is; -1 for none.
 */
export function useDrawnRows(
  body: RefObject<HTMLElement | null>,
  { count, place }: { count: number; place: number },
): (draw: (index: number) => ReactNode) => ReactNode {
  const nearby = useNearby(body, count, count > DRAWN_WHOLE)
  const near = Array.from(
    { length: Math.max(0, Math.min(nearby.to, count) - nearby.from) },
    (_, index) => nearby.from + index,
  )
  const drawn = place < 0 || near.includes(place) ? near : [...near, place].sort((one, other) => one - other)
  return (draw) => (
    <>
      {drawn.flatMap((index, at) => [
        <Gap key={`above ${index}`} rows={index - (drawn[at - 1] ?? -1) - 1} />,
        draw(index),
      ])}
      <Gap rows={count - (drawn.at(-1) ?? -1) - 1} />
    </>
  )
}

/** The place of rows that aren’t drawn. */
function Gap({ rows }: { rows: number }) {
  if (rows <= 0) return null
  return <tr aria-hidden className={styles.gap} style={{ '--rows': rows } as CSSProperties} />
}
