import { UPLOAD_EXTENSIONS } from '../../../../contract/constants.ts'
import { type ErrorCode, errors } from '../../../../contract/errors.ts'

/** Files that travel at the same time. */
export const PARALLEL_UPLOADS = 3

/**
 * One file on its way: `chosen` but not yet sent off, `waiting` for its turn, `starting` (asks for an address), `sending` its bytes,
 * `confirming` that they arrived; then `sent`, from where on the server says how far it is.
 */
export type Upload = {
  key: string
  fileName: string
  bytes: number
  phase: 'chosen' | 'waiting' | 'starting' | 'sending' | 'confirming' | 'sent' | 'failed' | 'canceled'
  /** Bytes that left this device. */
  sentBytes: number
  /** Known once the server gave an address for the file. */
  uploadId: string | null
  /** The sentence of a failure. */
  error: string | null
  /** Whether the same file may work when it is sent again. */
  retryable: boolean
  /** The server's last word on a sent file. */
  preparation: Preparation | null
}

/** What the server says of a sent file (`UploadState` of the contract). */
export type Preparation = {
  uploadId: string
  status: 'awaiting' | 'received' | 'processing' | 'ready' | 'failed'
  progress: number
  error: string | null
  code: string | null
  mediaId: string | null
}

export type UploadEvent =
  | { type: 'chosen'; files: { key: string; name: string; size: number }[]; maxBytes: number }
  | { type: 'submitted' }
  | { type: 'started'; key: string }
  | { type: 'addressed'; key: string; uploadId: string }
  | { type: 'progressed'; key: string; sentBytes: number }
  | { type: 'arrived'; key: string }
  | { type: 'confirmed'; key: string }
  | { type: 'prepared'; preparations: readonly Preparation[] }
  | { type: 'failed'; key: string; error: string; retryable: boolean }
  | { type: 'canceled'; key: string }
  | { type: 'retried'; key: string }
  | { type: 'removed'; key: string }

/** Why this file is not worth sending, by its name and size; null when the server may judge its bytes. */
export function refusal(file: { name: string; size: number }, maxBytes: number): ErrorCode | null {
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
  if (!UPLOAD_EXTENSIONS.some((known) => known === extension)) return 'media_type_unsupported'
  if (file.size === 0) return 'media_empty'
  return file.size > maxBytes ? 'media_too_large' : null
}

/** All uploads after one event. An event that does not fit the phase changes nothing: late answers come after a cancel. */
export function reduce(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  if (event.type === 'chosen') return [...uploads, ...event.files.map((file) => choose(file, event.maxBytes))]
  if (event.type === 'submitted') return uploads.map(submit)
  if (event.type === 'prepared') return uploads.map((upload) => hear(upload, event.preparations))
  if (event.type === 'removed')
    return uploads.filter((upload) => upload.key !== event.key || isTravelling(upload))
  return uploads.map((upload) => (upload.key === event.key ? step(upload, event) : upload))
}

function choose(file: { key: string; name: string; size: number }, maxBytes: number): Upload {
  const code = refusal(file, maxBytes)
  return {
    key: file.key,
    fileName: file.name,
    bytes: file.size,
    phase: code ? 'failed' : 'chosen',
    sentBytes: 0,
    uploadId: null,
    error: code ? errors[code][1] : null,
    retryable: false,
    preparation: null,
  }
}

function submit(upload: Upload): Upload {
  return upload.phase === 'chosen' ? { ...upload, phase: 'waiting' } : upload
}

function hear(upload: Upload, preparations: readonly Preparation[]): Upload {
  const preparation = preparations.find((one) => one.uploadId === upload.uploadId)
  return preparation && upload.phase === 'sent' ? { ...upload, preparation } : upload
}

function step(
  upload: Upload,
  event: Exclude<UploadEvent, { type: 'chosen' | 'submitted' | 'prepared' | 'removed' }>,
): Upload {
  const { phase } = upload
  switch (event.type) {
    case 'started':
      return phase === 'waiting' ? { ...upload, phase: upload.uploadId ? 'confirming' : 'starting' } : upload
    case 'addressed':
      return phase === 'starting' || phase === 'sending'
        ? { ...upload, phase: 'sending', uploadId: event.uploadId, sentBytes: 0 }
        : upload
    case 'progressed':
      return phase === 'sending' ? { ...upload, sentBytes: Math.min(event.sentBytes, upload.bytes) } : upload
    case 'arrived':
      return phase === 'sending' ? { ...upload, phase: 'confirming', sentBytes: upload.bytes } : upload
    case 'confirmed':
      return phase === 'confirming' ? { ...upload, phase: 'sent' } : upload
    case 'failed': {
      if (!isTravelling(upload)) return upload
      // Bytes that all arrived are not sent again: the address is kept and only the confirmation is repeated.
      const arrived = phase === 'confirming' && event.retryable
      return {
        ...upload,
        phase: 'failed',
        uploadId: arrived ? upload.uploadId : null,
        sentBytes: arrived ? upload.bytes : 0,
        error: event.error,
        retryable: event.retryable,
      }
    }
    case 'canceled':
      return isTravelling(upload) || isPreparing(upload)
        ? { ...upload, phase: 'canceled', uploadId: null, sentBytes: 0, preparation: null }
        : upload
    case 'retried':
      if (phase === 'sent' && upload.preparation?.status === 'failed') {
        return { ...upload, phase: 'waiting', uploadId: null, sentBytes: 0, preparation: null }
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

/** The keys that may start now, in the order they were chosen. */
export function nextToStart(uploads: readonly Upload[], parallel = PARALLEL_UPLOADS): string[] {
  const busy = uploads.filter((upload) => isTravelling(upload) && upload.phase !== 'waiting').length
  const waiting = uploads.filter((upload) => upload.phase === 'waiting')
  return waiting.slice(0, Math.max(0, parallel - busy)).map((upload) => upload.key)
}

/** Whether the server's work on this file has not ended yet, so that it must be asked again. */
export function isPreparing({ phase, preparation }: Upload): boolean {
  return phase === 'sent' && preparation?.status !== 'ready' && preparation?.status !== 'failed'
}

/** Refusals that are no verdict on the file's content: sending it again may work. */
const TRANSIENT_REFUSALS: readonly string[] = [
  'internal',
  'not_ready',
  'upload_not_found',
] satisfies ErrorCode[]

/** A size for people, in the units of file managers: `812 kB`, `1.2 MB`, `4.7 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit < 2 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

/** What the row of a file shows. */
export type UploadView = {
  tone: 'idle' | 'busy' | 'done' | 'failed'
  status: string
  /** 0 to 100, two decimals in `percentText`. */
  percent: number
  percentText: string
  mediaId: string | null
  canCancel: boolean
  canRetry: boolean
}

/** Percent with the two decimals of promotion-tools §4. */
export function percentText(percent: number): string {
  return `${percent.toFixed(2)}%`
}

/** What to show of a file; the status texts are those of promotion-tools §4 and §8. */
export function view(upload: Upload): UploadView {
  const percent = upload.bytes === 0 ? 0 : (upload.sentBytes / upload.bytes) * 100
  const shown = (
    tone: UploadView['tone'],
    status: string,
    at: number,
    more: Partial<UploadView> = {},
  ): UploadView => ({
    tone,
    status,
    percent: at,
    percentText: percentText(at),
    mediaId: null,
    canCancel: tone === 'busy' || tone === 'idle',
    canRetry: false,
    ...more,
  })
  switch (upload.phase) {
    case 'chosen':
      return shown('idle', 'Ready to upload', 0, { canCancel: false })
    case 'waiting':
      return shown('idle', 'Waiting for its turn', 0)
    case 'starting':
      return shown('busy', 'Processing...', 0)
    case 'sending':
      return shown('busy', 'Uploading...', percent)
    case 'confirming':
      return shown('busy', 'Almost done...', 100)
    case 'failed':
      return shown('failed', upload.error ?? 'Upload failed. please try again.', 0, {
        canRetry: upload.retryable,
      })
    case 'canceled':
      return shown('idle', 'Canceled', 0, { canCancel: false, canRetry: true })
    case 'sent':
      return prepared(upload.preparation, shown)
  }
}

function prepared(
  preparation: Preparation | null,
  shown: (tone: UploadView['tone'], status: string, at: number, more?: Partial<UploadView>) => UploadView,
): UploadView {
  if (preparation?.status === 'ready') return shown('done', 'Done', 100, { mediaId: preparation.mediaId })
  if (preparation?.status === 'failed') {
    return shown('failed', preparation.error ?? 'Upload failed. please try again.', 0, {
      canRetry: TRANSIENT_REFUSALS.includes(preparation.code ?? ''),
    })
  }
  return shown('busy', 'Almost done... Preparing it for viewing', preparation?.progress ?? 0)
}

/** Share of all bytes that left this device, 0 to 100; files not sent off, canceled or failed do not count. */
export function totalPercent(uploads: readonly Upload[]): number {
  const counted = uploads.filter((upload) => isTravelling(upload) || upload.phase === 'sent')
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  return bytes === 0 ? 0 : (counted.reduce((sum, upload) => sum + upload.sentBytes, 0) / bytes) * 100
}
