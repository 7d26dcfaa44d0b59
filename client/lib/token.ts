import { store } from './storage.ts'

/** Local storage key of the session token, kept as JSON; an empty object or text means none (docs/product.md, Texts). */
const KEY = 'token'
/** Under it, the tokens of one person that followed one another over a page, with spaces between: every tab goes on. */
const LINE_KEY = 'tokenLine'
const listeners = new Set<() => void>()

/** The session token of this browser, or null. */
export function readToken(): string | null {
  try {
    const value: unknown = JSON.parse(store.getItem(KEY) ?? '{}')
    return typeof value === 'string' && value !== '' ? value : null
  } catch {
    return null
  }
}

/** Keeps a new token, or blanks it with null, and tells everyone who listens. */
export function writeToken(token: string | null): void {
  store.setItem(KEY, JSON.stringify(token ?? ''))
  if (!token) store.removeItem(LINE_KEY)
  for (const listener of listeners) listener()
}

/** The tokens of the person of this one, the first of them first. */
function lineOf(token: string): string[] {
  const line = (store.getItem(LINE_KEY) ?? '').split(' ')
  return line.includes(token) ? line : [token]
}

/** What one person's tokens have in common while the login is renewed over the page: the first of them. */
export function firstOf(token: string | null): string | null {
  return token && (lineOf(token)[0] ?? token)
}

/**
 * Keeps the token of a new session of the same person in place of the one that ended, so that what is under way
 * continues with it in every tab. Does nothing and answers false where that is no longer the token of this browser.
 */
export function renewToken(ended: string, next: string): boolean {
  if (readToken() !== ended) return false
  // Before the token itself, of which other tabs are told.
  store.setItem(LINE_KEY, [...lineOf(ended), next].join(' '))
  writeToken(next)
  return true
}

let ended: string | null = null

/** The server no longer knows this token: its session ended elsewhere. The session (`session.tsx`) decides what becomes of the page. */
export function endSession(token: string): void {
  ended = token
  for (const listener of listeners) listener()
}

/** The token whose session ended elsewhere, if one did. */
export function endedToken(): string | null {
  return ended
}

/** Calls back when the token changes here or in another tab; answers how to stop. */
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
