import { closeSync, openSync, readSync } from 'node:fs'
import { minIntactShare } from './limits.ts'
import { Refused } from './refused.ts'

/** More boxes than this at the top level is a file made to keep a reader busy (a recording has one pair a second). */
const maxBoxes = 100_000

/**
 * Walks the top-level boxes of an MP4 or QuickTime file (ISO/IEC 14496-12, 4.2) without reading their contents.
 * A box that ends beyond the file means that the file was cut: the demuxer would only notice midway. True when little
 * is missing at the end of the media data, and the index is there.
 */
export function checkBoxes(path: string, fileSize: number): boolean {
  const file = openSync(path, 'r')
  try {
    return walk(file, fileSize)
  } finally {
    closeSync(file)
  }
}

/** Not asynchronous: a hundred thousand turns of the event loop take seconds, and nothing else waits in this process. */
function walk(file: number, fileSize: number): boolean {
  const header = Buffer.alloc(16)
  let hasIndex = false
  let position = 0
  for (let count = 0; position + 8 <= fileSize; count += 1) {
    if (count > maxBoxes) throw new Refused('media_unreadable')
    const bytesRead = readSync(file, header, 0, 16, position)
    const type = header.toString('latin1', 4, 8)
    // Cameras pad or sign their files behind the last box; what stands there is never copied.
    if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) break
    const size = boxSize(header, bytesRead, fileSize - position)
    if (size < 8) break
    if (position + size > fileSize) {
      if (type !== 'mdat' || !hasIndex || fileSize - position < minIntactShare * size)
        throw new Refused('media_unreadable')
      return true
    }
    if (type === 'moov') hasIndex = true
    position += size
  }
  if (!hasIndex) throw new Refused('media_unreadable')
  return false
}

/** Size 0 means 'to the end of the file', size 1 that 64 bits follow. */
function boxSize(header: Buffer, bytesRead: number, remaining: number): number {
  const size = header.readUInt32BE(0)
  if (size === 0) return remaining
  if (size !== 1) return size
  return bytesRead === 16 ? Number(header.readBigUInt64BE(8)) : 0
}
