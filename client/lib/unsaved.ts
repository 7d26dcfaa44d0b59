import { createContext, use, useEffect, useState } from 'react'

/** A dialog, for the forms inside: `wait` keeps it open until the returned function is called. */
export type DialogAround = { wait: () => () => void }
export const DialogContext = createContext<DialogAround | null>(null)

/** The unsaved input that leaving the page would lose, in sentences, each with its dialog. */
const kept = new Map<symbol, { lost: string; dialog: DialogAround | null }>()
const listeners = new Set<() => void>()

function change(act: () => void): void {
  act()
  for (const listener of listeners) listener()
}

/** The unsaved input that leaving the page would lose; null if there is none. */
export function lostByLeaving(): string | null {
  const [first] = kept.values()
  return first?.lost ?? null
}

/** The unsaved input that closing a dialog would lose; null if there is none. */
export function lostByClosing(dialog: DialogAround): string | null {
  return [...kept.values()].find((one) => one.dialog === dialog)?.lost ?? null
}

/** Calls back when that changes; returns the unsubscribe function. */
export function subscribeLost(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the browser asks before the tab is closed: because of an upload, an unsent message, or unsaved input. */
export function wouldLose(): boolean {
  return !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

const carriers = new Set<() => boolean>()

/**
 * Registers something that this document hands to its next page and that a full page load would lose.
 * @param has whether there is any now
 * @returns unregisters it
 */
export function carries(has: () => boolean): () => void {
  carriers.add(has)
  return () => void carriers.delete(has)
}

/** Whether the next page would miss something after a full page load. */
export const carriesAnything = (): boolean => [...carriers].some((has) => has())

/** Stops asking about unsaved input: the person leaves on purpose. */
export function discardUnsaved(): void {
  change(() => kept.clear())
}

/**
 * Asks before the page is left for as long as something would be lost; null if nothing would be.
 * @param round asks again whenever it changes
 * @returns stops asking right away, before the next render
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

/** Keeps the surrounding dialog open while its form is being sent. */
export function useDialogWaits(pending: boolean): void {
  const dialog = use(DialogContext)
  useEffect(() => (pending ? dialog?.wait() : undefined), [pending, dialog])
}
