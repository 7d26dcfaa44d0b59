import { CHUNK_BYTES } from '../../../../contract/constants.ts'
import type { Routes } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/route.ts'
import { ApiError } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { askArrived, putFile } from '../../../lib/uploads.ts'
import type { LogIn } from './log-in.ts'
import type { Purpose } from './purpose.ts'
import { persistently } from './retrying.ts'
import { sentName } from './rules.ts'

/** The owner of an upload, its stop signal, and its listener. */
type Told = LogIn & {
  /** The server gave the upload its id; `sentBytes` of it are there already. */
  onAddressed(uploadId: string, sentBytes: number): void
  onProgress(sentBytes: number): void
  /** It was interrupted and will be retried. */
  onInterrupted(): void
}

export const chunkCount = (bytes: number): number => Math.ceil(bytes / CHUNK_BYTES)

/**
 * Sends a whole file to a signed address of its own, again and again from where it stopped while a failure may pass.
 * `started` resumes an interrupted upload; when that is gone the file starts from the beginning. Returns the upload's id.
 * Throws `UploadError`, `ApiError`.
 */
export async function sendWhole(
  purpose: Pick<Purpose, 'start'>,
  file: File,
  started: string | null,
  told: Told,
): Promise<string> {
  const { signal, onAddressed, onProgress } = told
  let place: Place | null = null
  const attempt = async () => {
    const uploadId: string | null = place?.uploadId ?? started
    place = (uploadId && (await reopen(uploadId, file, told))) || {
      ...(await purpose.start(sentName(file.name), told)),
      arrived: 0,
    }
    onAddressed(place.uploadId, place.arrived)
    if (place.arrived < file.size) await putFile(place.url, file, { signal, onProgress, from: place.arrived })
    return place.uploadId
  }
  return persistently(told, attempt, () => place?.arrived ?? 0)
}

/** Where a file's bytes go, and how many are there. */
type Place = { uploadId: string; url: string; arrived: number }

/** Finds an interrupted upload, with a new address as the first may have expired; null when it is gone. */
async function reopen(uploadId: string, file: File, { call, signal }: LogIn): Promise<Place | null> {
  try {
    const { signedUrl: url } = await call(routes.uploadAddress, { params: { uploadId } }, { signal })
    return { uploadId, url, arrived: await askArrived(url, file, signal) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upload_not_found') return null
    if (error instanceof ApiError && error.code === 'upload_already_used')
      return { uploadId, url: '', arrived: file.size }
    throw error
  }
}

/**
 * Sends the chunks that are not there yet, one after the other, each again and again while a failure may pass.
 * `uploadId` resumes an interrupted upload; when that is gone the file starts from the beginning. Throws `ApiError`.
 */
export async function sendInChunks(
  purpose: Purpose,
  file: File,
  started: string | null,
  told: Told,
): Promise<void> {
  const { onAddressed, onProgress } = told
  const total = chunkCount(file.size)
  const known = started ? await persistently(told, () => findUnfinished(started, total, told)) : null
  const there = new Set(known?.chunks)
  let uploadId = known?.uploadId
  let sentBytes = [...there].reduce((sum, number) => sum + chunkOf(file, number).size, 0)
  if (uploadId) onAddressed(uploadId, sentBytes)
  for (let number = 0; number < total; number++) {
    if (there.has(number)) continue
    const chunk = chunkOf(file, number)
    // Whole only once it is answered.
    const onPart = (part: number) => onProgress(sentBytes + Math.floor(part * (chunk.size - 1)))
    const send = () =>
      purpose.sendChunk(
        { fileName: sentName(file.name), bytes: chunk, number, total, uploadId },
        told,
        onPart,
      )
    const answer = await persistently(told, uploadId ? send : () => withFreeName(file, send, told))
    sentBytes += chunk.size
    if (uploadId) onProgress(sentBytes)
    else onAddressed(answer.uploadId, sentBytes)
    uploadId = answer.uploadId
  }
}

const chunkOf = (file: File, number: number): Blob =>
  file.slice(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES)

/** The server's part of an interrupted upload; null when it is gone, failed, or of another size. */
async function findUnfinished(
  uploadId: string,
  total: number,
  { call, signal }: LogIn,
): Promise<Output<Routes['chunkedUpload']> | null> {
  try {
    const found = await call(routes.chunkedUpload, { params: { uploadId } }, { signal })
    return found.status !== 'failed' && found.totalChunks === total ? found : null
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** An interrupted file of the same name would keep this one from starting, so it is discarded. */
async function withFreeName<T>(file: File, send: () => Promise<T>, { call, signal }: LogIn): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'chunks_mismatch') throw error
    const { items } = await call(routes.uploads, { query: { uploadIds: [] } }, { signal })
    const inTheWay = items.filter(
      (one) => one.status === 'awaiting' && one.totalChunks !== null && one.fileName === sentName(file.name),
    )
    for (const { uploadId } of inTheWay) await call(routes.cancelUpload, { body: { uploadId } }, { signal })
    return send()
  }
}
