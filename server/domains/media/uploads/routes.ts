import { MAX_FILES_PER_UPLOAD_CALL } from '../../../../contract/constants.ts'
import type { Handlers } from '../../../handler.ts'
import { cancelUpload, processUploads, startUploads } from './actions.ts'
import { chunkHandlers } from './chunks/routes.ts'
import { findDuplicates, listUploads } from './data.ts'
import { ownFileHandlers } from './own-files/routes.ts'
import { presentUploads, uploadAddress } from './present.ts'
import { signedHandlers } from './signed/routes.ts'
import { listPlaces } from './turns/data.ts'

export const uploadHandlers = {
  ...chunkHandlers,
  ...signedHandlers,
  ...ownFileHandlers,

  async startUpload({ context, db, viewer, body, now }) {
    const uploadIds = await startUploads(db, context.config, viewer.id, body.fileNames, now)
    return {
      signedUrls: uploadIds.map((uploadId) => uploadAddress(context.signer, uploadId, now)),
      destFileNames: uploadIds,
      finalUrls: uploadIds.map((uploadId) => `/media/${uploadId}`),
    }
  },

  async makePublic({ db, viewer, body, now }) {
    await processUploads(db, viewer.id, body.destFileNames, now)
    const rows = await listUploads(db, viewer.id, body.destFileNames, MAX_FILES_PER_UPLOAD_CALL)
    return { items: presentUploads(rows, await listPlaces(db, viewer.id, now)) }
  },

  async uploads({ db, viewer, query, now }) {
    const rows = await listUploads(db, viewer.id, query.uploadIds, MAX_FILES_PER_UPLOAD_CALL)
    return { items: presentUploads(rows, await listPlaces(db, viewer.id, now)) }
  },

  async cancelUpload({ db, viewer, body }) {
    await cancelUpload(db, viewer.id, body.uploadId)
    return { success: true }
  },

  async duplicates({ db, viewer, body }) {
    const rows = await findDuplicates(db, viewer.id, body.hashes)
    return { items: rows.map(({ id, title, hash }) => ({ hash, mediaId: id, title })) }
  },
} satisfies Partial<Handlers>
