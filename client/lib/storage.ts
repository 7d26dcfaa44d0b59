/** Local storage that also works if the browser blocks it or it is full: values then live as long as the page. */
const memory = new Map<string, string>()

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const store: Store = {
  getItem(key) {
    // A value that couldn't be stored is newer than the stored one.
    const kept = memory.get(key)
    if (kept !== undefined) return kept
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  setItem(key, value) {
    try {
      localStorage.setItem(key, value)
      memory.delete(key)
    } catch {
      memory.set(key, value)
    }
  },
  removeItem(key) {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was stored.
    }
  },
}

/** The storage that lives as long as the tab; undefined where the browser refuses it. */
export function tabStorage(): Store | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
