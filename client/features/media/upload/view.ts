import { CHUNK_BYTES } from '../../../../contract/constants.ts'
import type { ErrorCode } from '../../../../contract/errors.ts'
import { formatOrdinal, formatPercent, formatWait } from '../../../ui/format-occasional.ts'
import { isPreparing, isTravelling, type Upload } from './rules.ts'
import { texts } from './texts.ts'

/** Refusals that are no verdict on the file's content: sending it again may work. */
const TRANSIENT_REFUSALS: readonly string[] = [
  'internal',
  'not_ready',
  'upload_not_found',
] satisfies ErrorCode[]

/** The content of a file's row. */
export type UploadView = {
  tone: 'idle' | 'busy' | 'done' | 'failed'
  status: string
  /** 0 to 100, two decimals in `percentText`; null while nothing is known of it. */
  percent: number | null
  percentText: string | undefined
  mediaId: string | null
  canCancel: boolean
  canRetry: boolean
  /** The question to the person: the same content exists already. */
  duplicate: { mediaId: string | null; title: string } | null
}

/** Percent with the two decimals of docs/product.md, Media. */
export function percentText(percent: number): string {
  return formatPercent(percent, 2)
}

/** How much of an interrupted upload has arrived, 0 to 100; null when its size is unknown. */
export function arrivedPercent(started: {
  totalChunks: number | null
  arrivedChunks: number
  totalBytes: number | null
  arrivedBytes: number
}): number | null {
  if (started.totalChunks !== null) return (started.arrivedChunks / started.totalChunks) * 100
  return started.totalBytes === null ? null : (started.arrivedBytes / started.totalBytes) * 100
}

/** The view of a file; the status texts are those of docs/product.md, Media and Texts, if nothing delays it. */
export function view(upload: Upload, offline = false): UploadView {
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
    duplicate: null,
    ...more,
  })
  const going = (usual: string) => {
    if (offline) return texts.offline
    return upload.interrupted ? texts.interrupted : usual
  }
  switch (upload.phase) {
    case 'asking':
      return shown('idle', texts.status.asking, 0, { canCancel: false, duplicate: upload.duplicate })
    case 'waiting':
      return shown('idle', texts.status.waiting, percent)
    case 'starting':
      // A first chunk is sent before there is an address.
      return shown('busy', going(percent > 0 ? texts.status.uploading : texts.status.processing), percent)
    case 'sending':
      return shown('busy', going(texts.status.uploading), percent)
    case 'confirming':
      return shown('busy', going(texts.status.almost), 100)
    case 'failed':
      return shown('failed', upload.error ?? texts.failure.general, 0, {
        canRetry: upload.retryable,
      })
    case 'canceled':
      return shown('idle', texts.status.canceled, 0, { canCancel: false, canRetry: true })
    case 'sent':
      return { ...prepared(upload, shown), duplicate: duplicateOf(upload) }
  }
}

/** The same content, which the server found once a file arrived that is too large to be compared before. */
function duplicateOf({ preparation, insisted }: Upload): UploadView['duplicate'] {
  const mediaId = insisted || preparation?.status === 'failed' ? null : preparation?.duplicateOf
  return mediaId ? { mediaId, title: '' } : null
}

function prepared(
  { preparation, bytes }: Upload,
  shown: (tone: UploadView['tone'], status: string, at: number, more?: Partial<UploadView>) => UploadView,
): UploadView {
  if (preparation?.status === 'ready') {
    const status = preparation.damaged ? `${texts.status.done}. ${texts.damaged}` : texts.status.done
    return shown('done', status, 100, { mediaId: preparation.mediaId })
  }
  if (preparation?.status === 'failed') {
    return shown('failed', preparation.error ?? texts.failure.general, 0, {
      canRetry: bytes > 0 && TRANSIENT_REFUSALS.includes(preparation.code ?? ''),
    })
  }
  const waiting = preparation && waitingText(preparation)
  const { progress = 0 } = preparation ?? {}
  // Nothing was prepared yet: that it waits for its turn is not '0.00%'.
  const unknown = progress === 0 ? { percent: null, percentText: undefined } : {}
  return waiting
    ? shown('idle', waiting, progress, unknown)
    : shown('busy', texts.status.almost, progress, unknown)
}

/** Its place in line and how long that takes: `3rd in line · about 2 min`; null for what doesn't wait. */
function waitingText({ place, waitSeconds }: NonNullable<Upload['preparation']>): string | null {
  if (place == null || waitSeconds == null) return null
  return texts.status.inLine(formatOrdinal(place), formatWait(waitSeconds))
}

/** Share of all bytes that left this device, 0 to 100; files canceled or failed do not count. */
export function totalPercent(uploads: readonly Upload[]): number {
  const counted = uploads.filter((upload) => isTravelling(upload) || upload.phase === 'sent')
  const bytes = counted.reduce((sum, upload) => sum + upload.bytes, 0)
  return bytes === 0 ? 0 : (counted.reduce((sum, upload) => sum + upload.sentBytes, 0) / bytes) * 100
}

/** The outcome once nothing is being sent: how many are asked about, being prepared, done and failed. */
export function summaryOf(uploads: readonly Upload[]): string {
  const count = (is: (upload: Upload) => boolean) => uploads.filter(is).length
  const asking = count((upload) => upload.phase === 'asking')
  const preparing = count(isPreparing)
  const done = count((upload) => upload.preparation?.status === 'ready')
  // Turned down before anything was sent, which is no failure of an upload.
  const refused = count(
    (upload) => upload.phase === 'failed' && upload.uploadId === null && !upload.retryable,
  )
  const failed =
    count((upload) => upload.phase === 'failed' || upload.preparation?.status === 'failed') - refused
  return [
    ...(asking > 0 ? [texts.summary.duplicates(asking)] : []),
    ...(preparing > 0 ? [texts.summary.preparing(preparing)] : []),
    ...(done > 0 ? [texts.summary.done(done)] : []),
    ...(failed > 0 ? [texts.summary.failed(failed)] : []),
    ...(refused > 0 ? [texts.summary.refused(refused)] : []),
  ].join(', ')
}

/** Whole percent of a file's chunks that arrived (docs/product.md, Limits). */
export function chunkPercent({ bytes, sentBytes, phase }: Upload): number {
  if (phase === 'confirming' || phase === 'sent') return 100
  const total = Math.ceil(bytes / CHUNK_BYTES)
  const sent = sentBytes === bytes ? total : Math.floor(sentBytes / CHUNK_BYTES)
  return total === 0 ? 0 : Math.floor((sent / total) * 100)
}

/** The status line of the single-file page (docs/product.md, Pages) for the file that was sent off, if one was. */
export function statusLine(upload: Upload | undefined): {
  tone: 'none' | 'some' | 'all' | 'failed'
  text: string
} {
  const refused =
    upload?.preparation?.status === 'failed' || (upload?.phase === 'failed' && !upload.retryable)
  if (refused) return { tone: 'failed', text: texts.line.failed }
  const percent = upload ? chunkPercent(upload) : 0
  if (percent < 1) return { tone: 'none', text: texts.line.notStarted }
  if (percent < 100) return { tone: 'some', text: texts.line.progress(percent) }
  return { tone: 'all', text: texts.line.complete }
}
