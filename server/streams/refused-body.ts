import type { Readable } from 'node:stream'

const LINGER_BYTES = 16 * 1024 * 1024

/** Lets the rest of a refused body run dry, so that the sender gets to the answer; an endless one is cut off. */
export function drain(stream: Readable): void {
  let left = LINGER_BYTES
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) stream.destroy()
  })
  stream.resume()
}
