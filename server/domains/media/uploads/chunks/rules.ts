import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../../contract/errors.ts'

/** How long a chunk that names no upload is still taken for a repetition of one that arrived, in seconds. */
export const REPEATED_SECONDS = 600

/** Why this chunk can't be part of any upload, or null: its number, its size, and what all of them would come to. */
export function chunkRefusal(
  chunk: { number: number; total: number; size: number },
  maxBytes: number,
): ErrorCode | null {
  const { number, total, size } = chunk
  if (number >= total) return 'chunks_mismatch'
  const isLast = number === total - 1
  if (isLast ? size > CHUNK_BYTES : size !== CHUNK_BYTES) return 'chunk_size_wrong'
  if (size === 0) return total === 1 ? 'media_empty' : 'chunk_size_wrong'
  const leastTotal = (total - 1) * CHUNK_BYTES + (isLast ? size : 1)
  return leastTotal > maxBytes ? 'upload_too_large' : null
}
