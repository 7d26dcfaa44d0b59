import type { Db } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Handlers } from '../../../../handler.ts'
import { presentUpload } from '../present.ts'
import { receiveChunk } from './actions.ts'
import { findChunkedUpload } from './data.ts'

/** An own upload with the chunks that arrived: all of them, once it is complete. Throws `upload_not_found`. */
async function chunkedUpload(db: Db, ownerId: string, uploadId: string) {
  const row = await findChunkedUpload(db, ownerId, uploadId)
  if (!row) throw new AppError('upload_not_found')
  const chunks =
    row.status === 'awaiting' ? row.chunks : Array.from({ length: row.total }, (_, index) => index)
  return { ...presentUpload(row), totalChunks: row.total, chunks }
}

export const chunkHandlers = {
  async uploadChunk({ context, db, viewer, body, files }) {
    const bytes = files.get('file')
    if (!bytes)
      throw new AppError('invalid_input', { details: { file: 'You must select a file to upload.' } })
    const uploadId = await receiveChunk(context, viewer, {
      name: body.name,
      number: body.chunk_number,
      total: body.total_chunks,
      uploadId: body.uploadId ?? null,
      bytes,
    })
    return chunkedUpload(db, viewer.id, uploadId)
  },

  async chunkedUpload({ db, viewer, params }) {
    return chunkedUpload(db, viewer.id, params.uploadId)
  },
} satisfies Partial<Handlers>
