export type ByteCache = {
  /** What is kept under the key, else what `make` makes, which is not called twice at once. */
  get(key: string, now: Date, make: () => Promise<Buffer>): Promise<Buffer>
}

/** Keeps what is made for `keptMs` milliseconds, at most `maxBytes` of it: what was made first goes first. */
export function createByteCache({ maxBytes, keptMs }: { maxBytes: number; keptMs: number }): ByteCache {
  const kept = new Map<string, { until: number; bytes: number; made: Promise<Buffer> }>()
  let bytesKept = 0

  function drop(key: string): void {
    bytesKept -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function dropUntil(enough: (until: number) => boolean): void {
    for (const [key, { until }] of kept) {
      if (enough(until)) return
      drop(key)
    }
  }

  return {
    get(key, now, make) {
      dropUntil((until) => until > now.getTime())
      const known = kept.get(key)
      if (known) return known.made
      const made = make()
      const entry = { until: now.getTime() + keptMs, bytes: 0, made }
      kept.set(key, entry)
      made.then(
        ({ length }) => {
          if (kept.get(key) !== entry) return
          entry.bytes = length
          bytesKept += length
          dropUntil(() => bytesKept <= maxBytes)
        },
        () => kept.get(key) === entry && drop(key),
      )
      return made
    },
  }
}
