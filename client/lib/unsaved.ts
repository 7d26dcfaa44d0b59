import { useEffect, useRef } from 'react'

/** What would be lost by leaving the page now, in sentences. */
const kept = new Map<symbol, string>()
const listeners = new Set<() => void>()

function change(act: () => void): void {
  act()
  for (const listener of listeners) listener()
}

/** What would be lost by leaving the page; null while nothing would be. */
export function lostByLeaving(): string | null {
  const [first] = kept.values()
  return first ?? null
}

/** Calls back when that changes; answers how to stop. */
export function subscribeLost(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether something asks before the tab is closed: an upload, a message on its way, or what is typed. */
export function wouldLose(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

const carriers = new Set<() => boolean>()

/**
 * Names what this document carries to its next page and no other document would find there.
 * @param has whether there is any of it now
 * @returns forgets it again
 */
export function carries(has: () => boolean): () => void {
  carriers.add(has)
  return () => void carriers.delete(has)
}

/** Whether the next page would lack something if it were loaded whole. */
export const carriesAnything = (): boolean => [...carriers].some((has) => has())

/** Stops asking about what is unsaved now: the person leaves on purpose. */
export function discardUnsaved(): void {
  change(() => kept.clear())
}

/**
 * Asks before the page is left for as long as something would be lost; null while nothing would be.
 * @param round asks again whenever it changes
 * @returns stops asking at once, before anything is drawn again
 */
export function useUnsaved(lost: string | null, round = 0): () => void {
  const key = useRef(Symbol('unsaved')).current
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useEffect(() => {
    if (lost === null) return
    change(() => kept.set(key, lost))
    return () => change(() => kept.delete(key))
  }, [lost, key, round])
  return () => change(() => kept.delete(key))
}
