import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Handlers, OpenFile } from '../../../handler.ts'
import { exportKey, requestExport } from './actions.ts'
import { findDownload, listExports } from './data.ts'
import { presentExport, verifyExportUrl } from './present.ts'

export const exportHandlers = {
  async requestExport({ context, db, viewer, companion, now }) {
    const row = await requestExport(db, context, { userId: viewer.id, now })
    return presentExport(row, { signer: context.signer, companion, now })
  },

  async exports({ context, db, viewer, companion, now }) {
    const rows = await listExports(db, viewer.id, now)
    return { items: rows.map((row) => presentExport(row, { signer: context.signer, companion, now })) }
  },
} satisfies Partial<Handlers>

/** Finds what `/files/exports/<id>/my-data.zip` opens; null for any other address. Only the owner's own session opens it. */
export async function openExportFile(
  context: Context,
  request: Parameters<OpenFile>[0],
): Promise<Awaited<ReturnType<OpenFile>> | null> {
  const [, exportId] = /^exports\/([0-9a-f-]{36})\/my-data\.zip$/.exec(request.path) ?? []
  if (!exportId) return null
  const { companionKey, now } = request
  const { e: expiry, s: signature } = request.query
  if (!companionKey?.startsWith('s.') || typeof expiry !== 'string' || typeof signature !== 'string')
    throw new AppError('link_expired')
  if (!verifyExportUrl(context.signer, { exportId, expiry, signature }, companionKey, now))
    throw new AppError('link_expired')
  const sessionId = companionKey.slice('s.'.length)
  const download = await findDownload(context.db, { exportId, sessionId, now })
  if (!download) throw new AppError('link_expired')
  const key = exportKey(download.user_id, exportId)
  return {
    mime: 'application/zip',
    bytes: download.bytes ?? 0,
    cache: 'private',
    open: (range) => context.storage.read(key, range),
    stillAllowed: async (moment) =>
      (await findDownload(context.db, { exportId, sessionId, now: moment })) !== null,
  }
}
