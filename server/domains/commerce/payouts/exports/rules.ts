import type { PayoutStatus } from '../../../../db/tables/commerce/payouts.ts'
import { UNPAID } from '../rules.ts'

const FILE_KEPT_MS = 90 * 24 * 3600 * 1000

/** Exports of before are gone but for who made them, of how much. */
export const filesKeptSince = (now: Date) => new Date(now.getTime() - FILE_KEPT_MS)

/** Whether a file can be had again: whole, or not at all, as one without some of its lines is another file. */
export const isFileKept = (kept: { exported_at: Date; count: number }, lines: number, now: Date) =>
  kept.exported_at >= filesKeptSince(now) && kept.count === lines

/** How the payouts of a file ended. One that failed or came back may be requested and exported again: its old file would pay it twice. */
export const endedOf = (statuses: readonly PayoutStatus[]) => ({
  paid: statuses.filter((status) => status === 'paid').length,
  unpaid: statuses.filter((status) => UNPAID.includes(status)).length,
})
