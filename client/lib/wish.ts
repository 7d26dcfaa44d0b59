import { useSyncExternalStore } from 'react'
import { safePath } from './redirect.ts'
import { type Store, store } from './storage.ts'

/** A person's intended action before they had to sign up, log in, or confirm their email. */
export type Wish<Thing = unknown> = {
  /** In words: `Subscribe to Mara · $9.99/mo`. */
  label: string
  /** The page where it continues. */
  path: string
  /** The data that the page needs to continue. */
  thing: Thing
}

const KEY = 'wish'
/** A wish expires after a day. */
const KEPT_MS = 24 * 3600 * 1000
const listeners = new Set<() => void>()
const changed = () => {
  for (const listener of listeners) listener()
}

let read: { text: string | null; wish: Wish | null } = { text: null, wish: null }

/** The stored wish; null if there is none, or if it is expired or malformed. */
export function keptWish(now = Date.now(), place: Store = store): Wish | null {
  const text = place.getItem(KEY)
  // Returns the same object for the same text, to avoid a rerender.
  if (text !== read.text) read = { text, wish: parsed(text, now) }
  return read.wish
}

/** Stores a wish until it is fulfilled or dropped, for all tabs; the newest one wins. */
export function keepWish(wish: Wish, now = Date.now(), place: Store = store): void {
  place.setItem(KEY, JSON.stringify({ ...wish, at: now }))
  changed()
}

export function forgetWish(place: Store = store): void {
  place.removeItem(KEY)
  changed()
}

/** The stored wish, updated as it changes. */
export function useWish(): Wish | null {
  return useSyncExternalStore(subscribe, keptWish)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function parsed(text: string | null, now: number): Wish | null {
  try {
    const { label, path, thing, at } = JSON.parse(text ?? '{}')
    const fits = typeof label === 'string' && typeof path === 'string' && typeof at === 'number'
    return fits && safePath(path) && now - at < KEPT_MS ? { label, path, thing } : null
  } catch {
    return null
  }
}
