import type { ErrorCode } from '../../../../../contract/errors.ts'

/** Bytes of one stored part of a file. */
export const PART_BYTES = 8 * 1024 * 1024
/** Parts of one request that are on their way to the disk at once: what an end of the server can cost. */
export const PARTS_AHEAD = 4
/** Parts that one file may come in: each break makes one more, and the largest file has some 640. */
export const MOST_PARTS = 4000

/** The bytes `start` to `end`, both included, of a file of `total`. */
export type ByteRange = { start: number; end: number; total: number }

/** The three kinds of PUT to a signed address: a whole file, a range of one, or a question how much arrived. */
type Sending = { kind: 'whole' } | { kind: 'question'; total: number } | ({ kind: 'range' } & ByteRange)

/**
 * Reads the header by which Google Cloud Storage's resumable uploads go on: `bytes 0-99/100` or, to ask, one with a `*`.
 * Null when it is neither, or `length`, the announced size of the body, is another than the range's.
 */
export function readSending(contentRange: string | undefined, length: number | null): Sending | null {
  if (contentRange === undefined) return { kind: 'whole' }
  const [, asked, first, last, all] =
    /^bytes (?:(\*)|(\d{1,15})-(\d{1,15}))\/(\d{1,15})$/.exec(contentRange) ?? []
  const total = Number(all)
  if (asked) return length ? null : { kind: 'question', total }
  const [start, end] = [Number(first), Number(last)]
  const fits = start <= end && end < total && (length === null || length === end - start + 1)
  return fits ? { kind: 'range', start, end, total } : null
}

type Upload = { status: string; arrivedBytes: number; reservedBytes: number | null }

/** Why a range of a file of this size can't be added here, or null. */
export function rangeRefusal(upload: Upload, range: { start: number; total: number }): ErrorCode | null {
  if (upload.status !== 'awaiting') return 'upload_already_used'
  if (upload.arrivedBytes > 0 && upload.reservedBytes !== range.total) return 'upload_size_differs'
  return upload.arrivedBytes === range.start ? null : 'upload_offset_wrong'
}

/** Why a whole file can't be sent here, or null; one that arrived whole may be sent again. */
export function wholeRefusal(upload: Upload): ErrorCode | null {
  if (upload.status !== 'awaiting' && upload.status !== 'received') return 'upload_already_used'
  if (upload.arrivedBytes === 0) return null
  return upload.status === 'received' ? 'upload_already_used' : 'upload_offset_wrong'
}
