import { type Store, store } from './storage.ts'

/** The path if it is on this site, otherwise null: no link may redirect elsewhere after login. */
export function safePath(path: string | null): string | null {
  if (!path || path.length > 2000 || !/^\/(?![/\\])/.test(path)) return null
  // A browser drops tabs and line breaks and reads a backslash as a slash, so none of them may be in it.
  if (/[\\\p{Cc}]/u.test(path)) return null
  const origin = 'https://site.invalid'
  return URL.canParse(path, origin) && new URL(path, origin).origin === origin ? path : null
}

/** A path kept for later, until it is cleared; always on this site. */
function kept(key: string) {
  return {
    save(path: string, place: Store = store): void {
      if (safePath(path)) place.setItem(key, path)
    },
    saved: (place: Store = store): string | null => safePath(place.getItem(key)),
    clear: (place: Store = store): void => place.removeItem(key),
  }
}

/** Where the visitor was going, for after login (docs/product.md, Texts). */
export const afterLogin = kept('postLoginRedirect')

/** Where the visitor was going, for after age verification. */
export const afterAgeCheck = kept('ageCheckRedirect')
