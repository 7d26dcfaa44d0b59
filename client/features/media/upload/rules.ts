import { CHUNK_BYTES, UPLOAD_EXTENSIONS } from '../../../../contract/constants.ts'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import { texts } from './texts.ts'

/** Files that travel at the same time. */
export const PARALLEL_UPLOADS = 3

/**
 * One file on its way: `waiting` for its turn, `starting` (asks for an address), `sending` its bytes, `confirming` that they
 * arrived; then `sent`, from where on the server says how far it is. `asking` waits for a word of the person, because its
 * content is there already.
 */
export type Upload = {
  /** No other upload has it, of another login neither: messages outlive the queue that their files were in. */
  key: string
  fileName: string
  /** 0 for one that another visit sent: its file is not at hand. */
  bytes: number
  /** To one signed address, several files at a time; or in chunks, one file at a time. */
  mode: 'signed' | 'chunked'
  phase: 'asking' | 'waiting' | 'starting' | 'sending' | 'confirming' | 'sent' | 'failed' | 'canceled'
  /** The duplicate: an item, or another file of the list. */
  duplicate: Duplicate | null
  /** The person wants it although its content is there already. */
  insisted: boolean
  /** It was interrupted and will be retried. */
  interrupted: boolean
  /** Bytes that left this device. */
  sentBytes: number
  /** The server has all bytes. */
  arrived: boolean
  /** Known once the server gave an address for the file. */
  uploadId: string | null
  /** The sentence of a failure. */
  error: string | null
  /** Whether the same file may work when it is sent again. */
  retryable: boolean
  /** The server's last word on a sent file. */
  preparation: Preparation | null
}

/** The server's state of a sent file (`UploadState` of the contract). */
export type Preparation = {
  uploadId: string
  status: 'awaiting' | 'received' | 'processing' | 'ready' | 'failed'
  progress: number
  error: string | null
  code: string | null
  mediaId: string | null
  duplicateOf: string | null
  place?: number | null
  waitSeconds?: number | null
  damaged?: boolean
}

export type Duplicate = { mediaId: string | null; title: string }

export type ChosenFile = { key: string; name: string; size: number; uploadId?: string | null }

export type UploadEvent =
  | { type: 'chosen'; files: ChosenFile[]; maxBytes: number; mode: Upload['mode'] }
  | { type: 'adopted'; key: string; fileName: string; preparation: Preparation }
  | { type: 'doubted'; key: string; duplicate: Duplicate }
  | { type: 'insisted'; key: string }
  | { type: 'started'; key: string }
  | { type: 'addressed'; key: string; uploadId: string; sentBytes: number }
  | { type: 'progressed'; key: string; sentBytes: number }
  | { type: 'interrupted'; key: string }
  | { type: 'arrived'; key: string }
  | { type: 'confirmed'; key: string }
  | { type: 'prepared'; preparations: readonly Preparation[] }
  | { type: 'failed'; key: string; error: string; retryable: boolean }
  | { type: 'canceled'; key: string }
  | { type: 'retried'; key: string }
  | { type: 'removed'; key: string }

/** Why this file is not worth sending, by its name and size; null when the server may check its bytes. */
export function refusal(
  file: { name: string; size: number },
  maxBytes: number,
): keyof typeof mediaErrors | null {
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
  if (!UPLOAD_EXTENSIONS.some((known) => known === extension)) return 'media_type_unsupported'
  if (file.size === 0) return 'media_empty'
  return file.size > maxBytes ? 'media_too_large' : null
}

/** All uploads after one event. An event that does not fit the phase changes nothing: late answers come after a cancel. */
export function reduce(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  if (event.type === 'chosen') return [...uploads, ...event.files.map((file) => choose(file, event))]
  if (event.type === 'adopted') return [...uploads, adopt(event)]
  if (event.type === 'prepared') return uploads.map((upload) => withPreparations(upload, event.preparations))
  if (event.type === 'removed')
    return uploads.filter((upload) => upload.key !== event.key || isTravelling(upload))
  return uploads.map((upload) => (upload.key === event.key ? step(upload, event) : upload))
}

const FRESH = {
  sentBytes: 0,
  arrived: false,
  uploadId: null,
  duplicate: null,
  insisted: false,
  interrupted: false,
  error: null,
  retryable: false,
  preparation: null,
} as const

function choose(file: ChosenFile, { maxBytes, mode }: { maxBytes: number; mode: Upload['mode'] }): Upload {
  const code = refusal(file, maxBytes)
  return {
    ...FRESH,
    key: file.key,
    fileName: file.name,
    bytes: file.size,
    mode,
    phase: code ? 'failed' : 'waiting',
    uploadId: file.uploadId ?? null,
    error: code ? mediaErrors[code].text : null,
  }
}

/** An upload of another visit: complete bytes only need to be confirmed, and the server does the rest. */
function adopt({ key, fileName, preparation }: Extract<UploadEvent, { type: 'adopted' }>): Upload {
  const arrived = preparation.status === 'received'
  return {
    ...FRESH,
    key,
    fileName,
    bytes: 0,
    mode: 'signed',
    phase: arrived ? 'waiting' : 'sent',
    uploadId: preparation.uploadId,
    arrived,
    insisted: true,
    preparation: arrived ? null : preparation,
  }
}

function withPreparations(upload: Upload, preparations: readonly Preparation[]): Upload {
  const preparation = preparations.find((one) => one.uploadId === upload.uploadId)
  return preparation && upload.phase === 'sent' ? { ...upload, preparation } : upload
}

function step(
  upload: Upload,
  event: Exclude<UploadEvent, { type: 'chosen' | 'adopted' | 'prepared' | 'removed' }>,
): Upload {
  const { phase } = upload
  switch (event.type) {
    case 'started':
      return phase === 'waiting' ? { ...upload, phase: upload.arrived ? 'confirming' : 'starting' } : upload
    case 'doubted':
      return phase === 'starting' ? { ...upload, phase: 'asking', duplicate: event.duplicate } : upload
    case 'insisted':
      return { ...upload, phase: phase === 'asking' ? 'waiting' : phase, duplicate: null, insisted: true }
    case 'addressed':
      return phase === 'starting' || phase === 'sending'
        ? {
            ...upload,
            phase: 'sending',
            interrupted: false,
            uploadId: event.uploadId,
            sentBytes: event.sentBytes,
          }
        : upload
    case 'progressed':
      // The first chunk carries bytes before there is an address.
      return phase === 'starting' || phase === 'sending'
        ? { ...upload, interrupted: false, sentBytes: Math.min(event.sentBytes, upload.bytes) }
        : upload
    case 'interrupted':
      return isTravelling(upload) ? { ...upload, interrupted: true } : upload
    case 'arrived':
      return phase === 'sending'
        ? { ...upload, phase: 'confirming', interrupted: false, sentBytes: upload.bytes, arrived: true }
        : upload
    case 'confirmed':
      return phase === 'confirming' ? { ...upload, phase: 'sent', interrupted: false } : upload
    case 'failed': {
      if (!isTravelling(upload)) return upload
      // Received bytes are not sent again.
      const kept = event.retryable ? {} : { uploadId: null, sentBytes: 0, arrived: false }
      return {
        ...upload,
        ...kept,
        phase: 'failed',
        interrupted: false,
        error: event.error,
        retryable: event.retryable,
      }
    }
    case 'canceled':
      return isTravelling(upload) || isPreparing(upload)
        ? {
            ...upload,
            phase: 'canceled',
            interrupted: false,
            uploadId: null,
            sentBytes: 0,
            arrived: false,
            preparation: null,
          }
        : upload
    case 'retried':
      if (phase === 'sent' && upload.preparation?.status === 'failed') {
        return {
          ...upload,
          phase: 'waiting',
          uploadId: null,
          sentBytes: 0,
          arrived: false,
          preparation: null,
        }
      }
      return (phase === 'failed' && upload.retryable) || phase === 'canceled'
        ? { ...upload, phase: 'waiting', error: null, retryable: false }
        : upload
  }
}

/** Whether leaving the page would lose this file. */
export function isTravelling(upload: Upload): boolean {
  return (
    upload.phase === 'waiting' ||
    upload.phase === 'starting' ||
    upload.phase === 'sending' ||
    upload.phase === 'confirming'
  )
}

/** The keys that may start now, in the order they were chosen: whole files three at a time, one in chunks only alone. */
export function nextToStart(uploads: readonly Upload[], parallel = PARALLEL_UPLOADS): string[] {
  const busy = uploads.filter((upload) => isTravelling(upload) && upload.phase !== 'waiting')
  const waiting = uploads.filter((upload) => upload.phase === 'waiting')
  const [first] = waiting
  if (busy.some(({ mode }) => mode === 'chunked')) return []
  if (first?.mode === 'chunked') return busy.length === 0 ? [first.key] : []
  const chunked = waiting.findIndex(({ mode }) => mode === 'chunked')
  const whole = chunked === -1 ? waiting : waiting.slice(0, chunked)
  return whole.slice(0, Math.max(0, parallel - busy.length)).map((upload) => upload.key)
}

/** Whether the server's work on this file has not ended yet, so that it must be asked again. */
export function isPreparing({ phase, preparation }: Upload): boolean {
  return phase === 'sent' && preparation?.status !== 'ready' && preparation?.status !== 'failed'
}

const MAX_NAME = 255

/** The name as the server takes it: one line of bearable length that keeps its ending. */
export function sentName(name: string): string {
  return name
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(-MAX_NAME)
    .trim()
}

/** Why this file can't resume an interrupted upload; null when it can. */
export function resumeRefusal(
  started: { fileName: string; totalChunks: number | null; totalBytes: number | null },
  file: { name: string; size: number; lastModified: number },
  known: { size: number; lastModified: number } | undefined,
): string | null {
  if (sentName(file.name) !== started.fileName) return texts.unfinished.otherFile(started.fileName)
  const { totalChunks, totalBytes } = started
  const sameSize =
    (totalChunks === null || Math.ceil(file.size / CHUNK_BYTES) === totalChunks) &&
    (totalBytes === null || file.size === totalBytes)
  const unchanged = !known || (known.size === file.size && known.lastModified === file.lastModified)
  return sameSize && unchanged ? null : texts.unfinished.changed(started.fileName)
}
