import type { Readable } from 'node:stream'
import { AppError } from '../../../../errors.ts'
import type { Handlers } from '../../../../handler.ts'
import { StorageLimit } from '../../../../ports/storage/port.ts'
import { drain } from '../../../../streams/refused-body.ts'
import { findUpload } from '../data.ts'
import { uploadAddress, verifyUploadUrl } from '../present.ts'
import { receiveWhole } from './actions.ts'
import { askArrived, receiveRange } from './ranges/actions.ts'
import { readSending } from './rules.ts'

export const signedHandlers = {
  async putUpload({ context, db, params: { uploadId }, query, header, stream, answer, now }) {
    try {
      if (!verifyUploadUrl(context.signer, { uploadId, ...query }, now)) throw new AppError('link_expired')
      const announced = header('content-length')
      const length = announced === undefined ? null : Number(announced)
      const sending = readSending(header('content-range'), length)
      if (!sending) throw new AppError('content_range_invalid')
      if (sending.kind === 'whole') {
        await receiveWhole(context, uploadId, stream, length)
        return { success: true }
      }
      const arrived =
        sending.kind === 'question'
          ? await askArrived(db, uploadId, sending.total)
          : await receiveRange(context, uploadId, sending, stream)
      if (!arrived.complete) answer.status(308)
      if (!arrived.complete && arrived.bytes > 0) answer.header('range', `bytes=0-${arrived.bytes - 1}`)
      return { success: true }
    } catch (error) {
      drain(stream)
      throw refusalOf(error, stream)
    }
  },

  async uploadAddress({ context, db, viewer, params: { uploadId }, now }) {
    const upload = await findUpload(db, uploadId)
    if (upload?.owner_id !== viewer.id || upload.kind !== 'signed') throw new AppError('upload_not_found')
    if (upload.status !== 'awaiting' && upload.status !== 'received')
      throw new AppError('upload_already_used')
    return { signedUrl: uploadAddress(context.signer, uploadId, now) }
  },
} satisfies Partial<Handlers>

function refusalOf(error: unknown, stream: Readable): unknown {
  if (error instanceof StorageLimit) return new AppError('upload_too_large')
  return stream.destroyed && !stream.readableEnded && !(error instanceof AppError)
    ? new AppError('malformed_body')
    : error
}
