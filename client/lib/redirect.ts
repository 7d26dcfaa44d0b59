import { type Store, store } from './storage.ts'

const KEY = 'postLoginRedirect'

/** The path if it is one of this site, else null: whatever a link says, nobody is sent elsewhere after logging in. */
export function safePath(path: string | null): string | null {
  if (!path || path.length > 2000 || !/^\/(?![/\\])/.test(path)) return null
  // A browser drops tabs and line breaks and reads a backslash as a slash, so none of them may be in it.
  if (/[\\\p{Cc}]/u.test(path)) return null
  const origin = 'https://site.invalid'
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : null
}

/** Keeps where the visitor wanted to go, for after logging in. */
export function saveRedirect(path: string, place: Store = store): void {
  if (safePath(path)) place.setItem(KEY, path)
}

/** Where the visitor wanted to go before logging in, or null. */
export function savedRedirect(place: Store = store): string | null {
  return safePath(place.getItem(KEY))
}

export function clearRedirect(place: Store = store): void {
  place.removeItem(KEY)
}
