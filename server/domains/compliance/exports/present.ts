import type { z } from 'zod'
import type { accountRoutes } from '../../../../contract/routes/account.ts'
import type { Signer } from '../../../signer.ts'
import type { MediaReader } from '../../../viewer.ts'
import { exportLinkExpiry } from './rules.ts'

const PURPOSE = 'export.link'
const claim = (exportId: string, expiry: number, readerKey: string) => `${exportId}/${expiry}/${readerKey}`

type ExportRow = {
  id: string
  status: 'waiting' | 'ready' | 'failed'
  bytes: number | null
  requested_at: Date
  expires_at: Date
}

/** An own export; the link of a ready one is bound to this reader's session and ends in 5 minutes. */
export function presentExport(
  row: ExportRow,
  { signer, reader, now }: { signer: Signer; reader: MediaReader; now: Date },
): z.output<typeof accountRoutes.requestExport.output> {
  const expiry = exportLinkExpiry(now)
  const signature = signer.sign(PURPOSE, claim(row.id, expiry, reader.key))
  return {
    _id: row.id,
    status: row.status,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    bytes: row.bytes,
    url: row.status === 'ready' ? `/files/exports/${row.id}/my-data.zip?e=${expiry}&s=${signature}` : null,
  }
}

/** Whether this link was made by us for this reader, and is not over yet. */
export function holdsExportLink(
  signer: Signer,
  link: { exportId: string; expiry: string; signature: string },
  readerKey: string,
  now: Date,
): boolean {
  const expiry = /^\d{1,12}$/.test(link.expiry) ? Number(link.expiry) : 0
  if (expiry * 1000 <= now.getTime()) return false
  return signer.verify(PURPOSE, claim(link.exportId, expiry, readerKey), link.signature)
}
