/** Local storage that also works where the browser refuses it: values then live as long as the page. */
const memory = new Map<string, string>()

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const store: Store = {
  getItem(key) {
    try {
      return localStorage.getItem(key)
    } catch {
      return memory.get(key) ?? null
    }
  },
  setItem(key, value) {
    try {
      localStorage.setItem(key, value)
    } catch {
      memory.set(key, value)
    }
  },
  removeItem(key) {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was stored there.
    }
  },
}
