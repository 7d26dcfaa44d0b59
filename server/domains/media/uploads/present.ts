import type { z } from 'zod'
import { errors } from '../../../../contract/errors.ts'
import type { UploadState } from '../../../../contract/routes/media/uploads.ts'
import type { Signer } from '../../../crypto/signer.ts'
import { ADDRESS_SECONDS } from './rules.ts'
import type { Place } from './turns/data.ts'

export type UploadRow = {
  id: string
  file_name: string
  status: 'awaiting' | 'received' | 'processing' | 'ready' | 'failed'
  progress: number
  refusal: string | null
  kind: 'signed' | 'chunked'
  total_chunks: number | null
  replaces_media_id: string | null
  duplicate_of: string | null
  arrived_chunks: number
  reserved_bytes: number | null
  arrived_bytes: number
  damaged: boolean
}

/** How far one upload is; the media item that it becomes has the upload's id, unless it replaces the file of another. */
export function presentUpload(row: UploadRow, places: Place[] = []): z.input<typeof UploadState> {
  const waiting = places.find(({ uploadId }) => uploadId === row.id)
  const reason = Object.entries(errors).find(([code]) => code === row.refusal)
  return {
    uploadId: row.id,
    fileName: row.file_name,
    status: row.status,
    progress: row.status === 'ready' ? 100 : row.progress,
    error: reason?.[1].text ?? null,
    code: row.refusal,
    mediaId: row.status === 'ready' ? (row.replaces_media_id ?? row.id) : null,
    replacesMediaId: row.replaces_media_id,
    duplicateOf: row.duplicate_of,
    place: waiting?.place ?? null,
    waitSeconds: waiting?.seconds ?? null,
    damaged: row.damaged,
    totalChunks: row.total_chunks,
    arrivedChunks: row.status === 'awaiting' ? row.arrived_chunks : (row.total_chunks ?? 0),
    totalBytes: row.arrived_bytes > 0 && row.kind === 'signed' ? row.reserved_bytes : null,
    arrivedBytes: row.arrived_bytes,
  }
}

/** Uploads as their owner sees them, each with its place in the line. */
export const presentUploads = (rows: UploadRow[], places: Place[]) =>
  rows.map((row) => presentUpload(row, places))

const PURPOSE = 'media.upload'

/** The address that takes the bytes of one file, on our origin; its signature is its own permission (docs/product.md, Media). */
export function uploadAddress(signer: Signer, uploadId: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + ADDRESS_SECONDS
  const signature = signer.sign(PURPOSE, `${uploadId}/${expires}`)
  return `/api/media/upload/${uploadId}?expires=${expires}&signature=${signature}`
}

/** Whether we made this address and it is not over. */
export function verifyUploadUrl(
  signer: Signer,
  address: { uploadId: string; expires: number; signature: string },
  now: Date,
): boolean {
  if (address.expires * 1000 <= now.getTime()) return false
  return signer.verify(PURPOSE, `${address.uploadId}/${address.expires}`, address.signature)
}
