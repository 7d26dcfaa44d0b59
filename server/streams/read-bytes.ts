import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

/** The bytes of a small body; throws `body_too_large` as soon as there are more than `maxBytes`. */
export async function readBytes(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
