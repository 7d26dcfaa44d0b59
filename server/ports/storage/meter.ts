import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { StorageLimit } from './port.ts'

/** Counts (bytes) and hashes (SHA-256) what passes, and fails with `StorageLimit` beyond `maxBytes`. */
export class Meter extends Transform {
  readonly hash = createHash('sha256')
  bytes = 0
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length
    this.hash.update(chunk)
    if (this.bytes > this.#maxBytes) done(new StorageLimit(`more than ${this.#maxBytes} bytes`))
    else done(null, chunk)
  }
}
