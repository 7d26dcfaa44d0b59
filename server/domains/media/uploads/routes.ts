import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { MAX_FILES_PER_UPLOAD_CALL } from '../../../../contract/constants.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers } from '../../../handler.ts'
import { StorageLimit } from '../../../ports/storage/port.ts'
import { letGo } from '../../../refused-body.ts'
import { cancelUpload, processUploads, receiveUpload, startUploads } from './actions.ts'
import { chunkHandlers } from './chunks/routes.ts'
import { findDuplicates, findUpload, listUploads } from './data.ts'
import { ownFileHandlers } from './own-files/routes.ts'
import { holdsAddress, presentUpload, uploadAddress } from './present.ts'
import { sourceKey } from './rules.ts'

export const uploadHandlers: Handlers<
  | 'startUpload'
  | 'putUpload'
  | 'makePublic'
  | 'uploads'
  | 'cancelUpload'
  | 'duplicates'
  | 'uploadChunk'
  | 'chunkedUpload'
  | 'replaceFile'
  | 'posterFrame'
> = {
  ...chunkHandlers,
  ...ownFileHandlers,

  async startUpload({ context, db, viewer, body, now }) {
    const uploadIds = await startUploads(db, viewer.id, body.fileNames, now)
    return {
      signedUrls: uploadIds.map((uploadId) => uploadAddress(context.signer, uploadId, now)),
      destFileNames: uploadIds,
      finalUrls: uploadIds.map((uploadId) => `/media/${uploadId}`),
    }
  },

  async putUpload({ context, db, params: { uploadId }, query, stream, now }) {
    try {
      if (!holdsAddress(context.signer, { uploadId, ...query }, now)) throw new AppError('link_expired')
      const upload = await findUpload(db, uploadId)
      if (!upload) throw new AppError('upload_not_found')
      if (upload.status !== 'awaiting' && upload.status !== 'received')
        throw new AppError('upload_already_used')
      const maxBytes = context.config.MAX_FILE_BYTES
      if (announcedBytes(stream) > maxBytes) throw new AppError('upload_too_large')
      const key = sourceKey(uploadId)
      const stored = await context.storage.put(key, bodyOf(stream), { maxBytes })
      if (await receiveUpload(db, uploadId, stored, context.clock.now())) return { success: true }
      // Given up or used while the bytes came in: the job may have cleared away before they were there.
      const current = await findUpload(db, uploadId)
      if (current?.status !== 'processing') await context.storage.remove(key)
      throw new AppError(current ? 'upload_already_used' : 'upload_not_found')
    } catch (error) {
      letGo(stream)
      throw refusalOf(error, stream)
    }
  },

  async makePublic({ db, viewer, body, now }) {
    await processUploads(db, viewer.id, body.destFileNames, now)
    const rows = await listUploads(db, viewer.id, body.destFileNames, MAX_FILES_PER_UPLOAD_CALL)
    return { items: rows.map(presentUpload) }
  },

  async uploads({ db, viewer, query }) {
    const rows = await listUploads(db, viewer.id, query.uploadIds, MAX_FILES_PER_UPLOAD_CALL)
    return { items: rows.map(presentUpload) }
  },

  async cancelUpload({ db, viewer, body }) {
    await cancelUpload(db, viewer.id, body.uploadId)
    return { success: true }
  },

  async duplicates({ db, viewer, body }) {
    const rows = await findDuplicates(db, viewer.id, body.hashes)
    return { items: rows.map(({ id, title, hash }) => ({ hash, mediaId: id, title })) }
  },
}

/** The size that the request announces, 0 when it does not. */
function announcedBytes(stream: Readable): number {
  const { headers } = stream as Partial<IncomingMessage>
  return Number(headers?.['content-length'] ?? 0)
}

/** The body as a stream of its own: when the store gives up on it, the connection can still carry the answer. */
function bodyOf(stream: Readable): Readable {
  const body = new PassThrough()
  stream.once('close', () => {
    if (!stream.readableEnded) body.destroy(new Error('the sender broke off'))
  })
  return stream.pipe(body)
}

function refusalOf(error: unknown, stream: Readable): unknown {
  if (error instanceof StorageLimit) return new AppError('upload_too_large')
  return stream.destroyed && !stream.readableEnded && !(error instanceof AppError)
    ? new AppError('malformed_body')
    : error
}
