import { Readable } from 'node:stream'

/** One part of a body as a stream of its own; `read` resolves when its last byte was taken. */
type BodyPart = { bytes: Readable; read: Promise<void> }

/**
 * Cuts at most `bytes` of a body into parts, each as it comes in and only as fast as it is taken. A sender who breaks
 * off ends the part that is under way where it broke, so that what arrived of it is kept.
 */
export function cutBody(stream: Readable, { bytes, partBytes }: { bytes: number; partBytes: number }) {
  // The connection must outlive a refusal, to carry it.
  const pieces: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false })
  let left = bytes
  let rest: Buffer | null = null

  async function piece(): Promise<Buffer | null> {
    if (rest) return rest
    const { value, done } = await pieces.next().catch(() => ({ value: null, done: true }))
    return done ? null : value
  }

  async function* take(first: Buffer, taken: () => void) {
    try {
      let room = Math.min(partBytes, left)
      for (let next: Buffer | null = first; next; next = room > 0 ? await piece() : null) {
        const wanted = next.subarray(0, room)
        rest = next.length > room ? next.subarray(room) : null
        room -= wanted.length
        left -= wanted.length
        yield wanted
      }
    } finally {
      taken()
    }
  }

  return {
    /** The next part once its first byte is there and the one before was read; null at the end. */
    async next(): Promise<BodyPart | null> {
      const first = left > 0 ? await piece() : null
      if (!first) return null
      const { promise, resolve } = Promise.withResolvers<void>()
      return { bytes: Readable.from(take(first, resolve), { objectMode: false }), read: promise }
    },
    /** Whether the body goes on after its bytes; asked once they were read. */
    async goesOn(): Promise<boolean> {
      return left === 0 && (await piece()) !== null
    },
    /** Releases the body, so that somebody else can read the rest of it. */
    end(): void {
      void pieces.return?.()
    },
  }
}
