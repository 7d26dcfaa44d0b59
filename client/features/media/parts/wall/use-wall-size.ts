import { useSyncExternalStore } from 'react'

/** Pixels; the same steps as in the style sheets: a phone's wall goes from edge to edge, a page's is 1200 wide at most. */
const THREE_COLUMNS = 768
const FOUR_COLUMNS = 1200
const WIDEST = 1200
const GUTTERS = 64

function subscribe(onChange: () => void): () => void {
  addEventListener('resize', onChange)
  return () => removeEventListener('resize', onChange)
}

/** How many columns fit the window, and how many pixels wide each is. */
export function useWallSize(): { columns: number; columnWidth: number } {
  // With the scrollbar, so that its coming and going changes nothing.
  const width = useSyncExternalStore(subscribe, () => window.innerWidth)
  const columns = width >= FOUR_COLUMNS ? 4 : width >= THREE_COLUMNS ? 3 : 2
  const wall = width >= THREE_COLUMNS ? Math.min(WIDEST, width - GUTTERS) : width
  return { columns, columnWidth: wall / columns }
}
