import { routes } from '../../../lib/routes.ts'
import { carryFiles, UploadError } from '../../../lib/uploads.ts'
import type { LogIn } from './log-in.ts'
import type { Duplicate } from './rules.ts'
import { texts } from './texts.ts'

/** One chunk of a file; without an `uploadId` it is the first. */
type Chunk = { fileName: string; bytes: Blob; number: number; total: number; uploadId: string | undefined }

/** The purpose of uploads, such as the library: its calls, and whether duplicates are reported. */
export type Purpose = {
  name: string
  /** Asks for an address that takes a whole file. */
  start(fileName: string, logIn: LogIn): Promise<{ uploadId: string; url: string }>
  /** Sends one chunk of a file, and tells the part of it that has left this device, 0 to 1. */
  sendChunk(chunk: Chunk, logIn: LogIn, onProgress: (part: number) => void): Promise<{ uploadId: string }>
  /** Says that all bytes of a whole file have arrived. */
  finish(uploadId: string, logIn: LogIn): Promise<unknown>
  /** Deletes what became of an upload. */
  discard(uploadId: string, logIn: LogIn): Promise<unknown>
  /** The existing item with the content of this SHA-256; null if there is none, or duplicates don't matter. */
  findDuplicate(hash: string, logIn: LogIn): Promise<Duplicate | null>
}

/** Photos and videos for the person's own library. */
export const forLibrary: Purpose = {
  name: 'library',
  start: async (fileName, { call, signal }) => {
    const { signedUrls, destFileNames } = await call(
      routes.startUpload,
      { body: { fileNames: [fileName] } },
      { signal },
    )
    const [url] = signedUrls
    const [uploadId] = destFileNames
    if (!url || !uploadId) throw new UploadError(0, texts.failure.general)
    return { uploadId, url }
  },
  sendChunk: ({ fileName, bytes, number, total, uploadId }, { call, signal }, onProgress) =>
    call(
      routes.uploadChunk,
      { body: { name: fileName, chunk_number: number, total_chunks: total, uploadId } },
      { signal, carry: carryFiles({ file: bytes }, onProgress) },
    ),
  finish: (uploadId, { call, signal }) =>
    call(routes.makePublic, { body: { destFileNames: [uploadId] } }, { signal }),
  discard: (mediaId, { call }) => call(routes.deleteMedia, { body: { mediaId } }),
  findDuplicate: async (hash, { call, signal }) => {
    try {
      const { items } = await call(routes.duplicates, { body: { hashes: [hash] } }, { signal })
      return items[0] ?? null
    } catch (error) {
      // A check that fails doesn't hold up the upload.
      if (signal.aborted) throw error
      return null
    }
  },
}

/** Larger files are not read whole in the browser; the server compares their content once they have arrived. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024

/** SHA-256 of a file in hexadecimal; null for a large one, and where the browser has no cryptography (no HTTPS). */
export async function contentOf(file: Blob): Promise<string | null> {
  if (file.size > MAX_HASHED_BYTES || globalThis.crypto?.subtle === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
