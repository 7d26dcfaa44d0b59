import { createContext, use, useEffect, useState } from 'react'

/** A dialog, for the forms inside: `wait` keeps it open until what it answers is called. */
export type DialogAround = { wait: () => () => void }
export const DialogContext = createContext<DialogAround | null>(null)

/** What would be lost by leaving the page now, in sentences, and the dialog each stands in. */
const kept = new Map<symbol, { lost: string; dialog: DialogAround | null }>()
const listeners = new Set<() => void>()

function change(act: () => void): void {
  act()
  for (const listener of listeners) listener()
}

/** What would be lost by leaving the page; null while nothing would be. */
export function lostByLeaving(): string | null {
  const [first] = kept.values()
  return first?.lost ?? null
}

/** The same for closing a dialog. */
export function lostByClosing(dialog: DialogAround): string | null {
  return [...kept.values()].find((one) => one.dialog === dialog)?.lost ?? null
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
  const [key] = useState(() => Symbol('unsaved'))
  const dialog = use(DialogContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
  useEffect(() => {
    if (lost === null) return
    change(() => kept.set(key, { lost, dialog }))
    return () => change(() => kept.delete(key))
  }, [lost, key, dialog, round])
  return () => change(() => kept.delete(key))
}

/** Keeps the dialog around open while what is sent from it is on its way. */
export function useDialogWaits(pending: boolean): void {
  const dialog = use(DialogContext)
  useEffect(() => (pending ? dialog?.wait() : undefined), [pending, dialog])
}
