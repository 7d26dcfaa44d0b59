/** Work that goes one after the other under one key, and side by side under different ones. */
export type Turns = {
  /** Whether some work of this key is under way or waits. */
  isBusy(key: string): boolean
  /** Does this once all work is done that was given under the key before; what it answers or throws is the caller's. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Begins with nothing to do; keeps nothing of a key whose work is done. */
export function createTurns(): Turns {
  const latest = new Map<string, Promise<unknown>>()
  return {
    isBusy: (key) => latest.has(key),
    async take(key, work) {
      const before = latest.get(key)
      const done = before ? before.then(work, work) : work()
      latest.set(key, done)
      try {
        return await done
      } finally {
        if (latest.get(key) === done) latest.delete(key)
      }
    },
  }
}
