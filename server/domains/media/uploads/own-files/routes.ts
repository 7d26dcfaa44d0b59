import type { Handlers } from '../../../../handler.ts'
import { uploadAddress } from '../present.ts'
import { choosePoster, startReplacement } from './actions.ts'

export const ownFileHandlers = {
  async replaceFile({ context, db, viewer, body, now }) {
    const uploadId = await startReplacement(db, context.config, viewer, body, now)
    return { signedUrl: uploadAddress(context.signer, uploadId, now), destFileNames: [uploadId] }
  },

  async posterFrame({ db, viewer, body, now }) {
    await choosePoster(db, viewer, body, now)
    return { success: true }
  },
} satisfies Partial<Handlers>
