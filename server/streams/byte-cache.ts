import { LRUCache } from 'lru-cache'

export type ByteCache = {
  /** The cached value of the key, else the result of `make`, which is never called twice at once. */
  get(key: string, now: Date, make: () => Promise<Buffer>): Promise<Buffer>
}

type Entry = { until: number; made: Promise<Buffer> }

/** Keeps what is made for `keptMs` milliseconds, at most `maxBytes` of it: what was not asked for longest goes first. */
export function createByteCache({ maxBytes, keptMs }: { maxBytes: number; keptMs: number }): ByteCache {
  const kept = new LRUCache<string, Entry>({ maxSize: maxBytes })
  return {
    get(key, now, make) {
      const known = kept.get(key)
      if (known && known.until > now.getTime()) return known.made
      const entry = { until: now.getTime() + keptMs, made: make() }
      // How much it weighs is known once it is made; one that is too large for the cache is dropped then.
      kept.set(key, entry, { size: 1 })
      entry.made.then(
        // The library takes a new size with another value alone.
        ({ length }) =>
          kept.peek(key) === entry && kept.set(key, { ...entry }, { size: Math.max(1, length) }),
        () => kept.peek(key) === entry && kept.delete(key),
      )
      return entry.made
    },
  }
}
