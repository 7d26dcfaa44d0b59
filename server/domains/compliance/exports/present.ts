import type { z } from 'zod'
import type { exportRoutes } from '../../../../contract/routes/compliance/exports.ts'
import type { Signer } from '../../../crypto/signer.ts'
import type { Companion } from '../../../viewer.ts'
import { exportLinkExpiry } from './rules.ts'

const PURPOSE = 'export.link'
const signedPayload = (exportId: string, expiry: number, companionKey: string) =>
  `${exportId}/${expiry}/${companionKey}`

type ExportRow = {
  id: string
  status: 'waiting' | 'ready' | 'failed'
  bytes: number | null
  requested_at: Date
  expires_at: Date
}

/** An own export; the link of a ready one is bound to this viewer's session and ends in 5 minutes. */
export function presentExport(
  row: ExportRow,
  { signer, companion, now }: { signer: Signer; companion: Companion; now: Date },
): z.output<typeof exportRoutes.requestExport.output> {
  const expiry = exportLinkExpiry(now)
  const signature = signer.sign(PURPOSE, signedPayload(row.id, expiry, companion.key))
  return {
    _id: row.id,
    status: row.status,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    bytes: row.bytes,
    url: row.status === 'ready' ? `/files/exports/${row.id}/my-data.zip?e=${expiry}&s=${signature}` : null,
  }
}

/** Whether this link was made by us for this viewer, and is not over yet. */
export function verifyExportUrl(
  signer: Signer,
  link: { exportId: string; expiry: string; signature: string },
  companionKey: string,
  now: Date,
): boolean {
  const expiry = /^\d{1,12}$/.test(link.expiry) ? Number(link.expiry) : 0
  if (expiry * 1000 <= now.getTime()) return false
  return signer.verify(PURPOSE, signedPayload(link.exportId, expiry, companionKey), link.signature)
}
