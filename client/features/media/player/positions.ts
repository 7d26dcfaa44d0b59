import type { Store } from '../../../lib/storage.ts'

const KEY = 'videoPositions'
/** How many videos are remembered, the ones watched last. */
const MOST = 50
/** Seconds: after less the video starts from the beginning, and within this of the end it counts as seen. */
const BEGINNING = 5
const CREDITS = 5

type Position = [mediaId: string, seconds: number]

function isPosition(entry: unknown): entry is Position {
  return Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1])
}

function read(store: Store): Position[] {
  try {
    const entries: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isPosition) : []
  } catch {
    return []
  }
}

/** Where in the video the person was, in seconds; 0 when it is new, or was seen to its end. */
export function positionOf(store: Store, mediaId: string): number {
  return read(store).find(([id]) => id === mediaId)?.[1] ?? 0
}

/** Remembers where in the video the person is; forgets it near the beginning and the end. Both in seconds. */
export function rememberPosition(store: Store, mediaId: string, at: number, duration: number): void {
  const others = read(store).filter(([id]) => id !== mediaId)
  const resumable = at >= BEGINNING && at < duration - CREDITS
  const own: Position[] = resumable ? [[mediaId, Math.floor(at)]] : []
  const next = [...own, ...others].slice(0, MOST)
  if (next.length > 0) store.setItem(KEY, JSON.stringify(next))
  else store.removeItem(KEY)
}
