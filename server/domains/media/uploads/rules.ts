import { MAX_TITLE_LENGTH } from '../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'

/** How long a signed address takes bytes, in seconds. */
export const ADDRESS_SECONDS = 3600
/** How long an upload that nobody finishes is kept, and one that failed can be asked about, in seconds. */
export const KEPT_SECONDS = 24 * 3600
/** The same for one that arrived in part, from its newest bytes on: people come back to it after a weekend. */
export const CHUNKS_KEPT_SECONDS = 7 * 24 * 3600
/** How long an upload may wait and be prepared, in seconds: long videos of many people take days. */
export const PROCESSED_WITHIN_SECONDS = 14 * 24 * 3600
/** Uploads of one person that are not finished: what they can fill our disk with before anything is validated. */
export const MAX_UNFINISHED = 500

/** Deleted and replaced files may take up as much again as the library: else deleting would make room without end. */
export function roomRefusal(
  bytes: { library: number; kept: number },
  maxLibraryBytes: number,
): ErrorCode | null {
  if (bytes.library >= maxLibraryBytes) return 'library_full'
  return bytes.kept >= 2 * maxLibraryBytes ? 'kept_files_full' : null
}

/** The moment so many seconds after this one. */
export function later(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

/** How long an upload has waited to be prepared that is given up at `expiresAt`, in seconds. */
export function waitedSeconds(expiresAt: Date, now: Date): number {
  return PROCESSED_WITHIN_SECONDS - (expiresAt.getTime() - now.getTime()) / 1000
}

/** Where the bytes of an upload lie until it is decided. */
export const sourceKey = (uploadId: string, sending: number | null): string =>
  sending === null ? `uploads/${uploadId}` : `${wholePrefix(uploadId)}/${sending}`
/** Below it lie the sendings of a whole file, by their numbers. */
export const wholePrefix = (uploadId: string): string => `uploads/${uploadId}.whole`
/** The prefix below which the chunks of an upload lie until they are put together. */
export const chunksPrefix = (uploadId: string): string => `uploads/${uploadId}.chunks`
/** Where one chunk lies. */
export const chunkKey = (uploadId: string, number: number): string => `${chunksPrefix(uploadId)}/${number}`

const characters = new Intl.Segmenter('en')

/**
 * The title that a file's name makes: no ending, spaces where names have dashes and underscores, and as many whole
 * characters, however many places each takes, as titles have room for.
 */
export function firstTitle(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .replace(/[-_\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
  return words.slice(0, characters.segment(words).containing(MAX_TITLE_LENGTH)?.index).trim()
}
