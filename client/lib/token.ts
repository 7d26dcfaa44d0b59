import { store } from './storage.ts'

/** Local storage key of the session token, kept as JSON; an empty object or text means none (docs/product.md, Texts). */
const KEY = 'token'
/** Storage key of one person's successive tokens while a login is renewed over a page, separated by spaces, so that every tab continues. */
const LINE_KEY = 'tokenLine'
/** Name of the lock that each tab holds while it shows the logged-in person. */
const SHOWN_LOCK = 'sessionShown'
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** A token that this tab doesn't use anymore, though others may. */
let dropped: string | null = null

/** The session token of this tab, or null: that of the browser, unless it was dropped here. */
export function readToken(): string | null {
  const token = storedToken()
  return token === dropped ? null : token
}

/** The session token of this browser, which other tabs may still use, or null. */
export function storedToken(): string | null {
  try {
    const value: unknown = JSON.parse(store.getItem(KEY) ?? '{}')
    return typeof value === 'string' && value !== '' ? value : null
  } catch {
    return null
  }
}

/** Stores a new token, or clears it with null, and notifies all listeners. */
export function writeToken(token: string | null): void {
  store.setItem(KEY, JSON.stringify(token ?? ''))
  if (!token) store.removeItem(LINE_KEY)
  notify()
}

/** This token's chain of one person's tokens, the first one first. */
function lineOf(token: string): string[] {
  const line = (store.getItem(LINE_KEY) ?? '').split(' ')
  return line.includes(token) ? line : [token]
}

/** The shared id of one person's tokens while the login is renewed over the page: the first of them. */
export function firstOf(token: string | null): string | null {
  return token && (lineOf(token)[0] ?? token)
}

/**
 * Replaces an ended token by one of a new session of the same person, so that pending work continues in every tab. Does
 * nothing and returns false if that is no longer the token of this browser.
 */
export function renewToken(ended: string, next: string): boolean {
  if (readToken() !== ended) return false
  // Before the token itself, whose change notifies other tabs.
  store.setItem(LINE_KEY, [...lineOf(ended), next].join(' '))
  writeToken(next)
  return true
}

let ended: string | null = null

/** The server no longer knows this token: its session ended elsewhere. `session.tsx` decides what happens to the page. */
export function endSession(token: string): void {
  ended = token
  notify()
}

/** The token whose session ended elsewhere, if there is one. */
export function endedToken(): string | null {
  return ended
}

/** Says to other tabs that this one shows the logged-in person; returns how to take that back. */
export function showPerson(): () => void {
  const { promise: hidden, resolve: hide } = Promise.withResolvers<void>()
  void navigator.locks?.request(SHOWN_LOCK, { mode: 'shared' }, () => hidden)
  return hide
}

/**
 * Logs this tab out of a session that ended elsewhere, and the browser unless another tab shows the person: that one asks
 * for the login over its page.
 */
export function dropToken(token: string): void {
  dropped = token
  notify()
  const clear = () => {
    if (storedToken() === token) writeToken(null)
  }
  if (!navigator.locks) clear()
  void navigator.locks?.request(SHOWN_LOCK, { ifAvailable: true }, (lock) => {
    if (lock) clear()
  })
}

/** Calls back when the token changes here or in another tab; returns the unsubscribe function. */
export function subscribeToken(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
