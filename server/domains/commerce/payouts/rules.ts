import type { ErrorCode } from '../../../../contract/errors.ts'
import type { PayoutStatus } from '../../../db/tables/commerce/payouts.ts'

/** Transfers cost about the same whatever they move. */
export const MIN_PAYOUT_CENTS = 2000

/** Neither over nor paid. */
export const OPEN: readonly PayoutStatus[] = ['requested', 'approved', 'in_transit']

/** How payouts end that leave the money where it was. */
export const UNPAID: readonly PayoutStatus[] = ['failed', 'canceled', 'returned']

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

const ASK_AGAIN_MS = 7 * 24 * 3600 * 1000

/** Until when who is leaving can ask again for a payout that ended unpaid then (decision 068). */
export const askAgainUntil = (endedAt: Date) => new Date(endedAt.getTime() + ASK_AGAIN_MS)

/** The time by which a payout must have ended unpaid so that a person who is leaving can't ask for it again. */
export const askAgainSince = (now: Date) => new Date(now.getTime() - ASK_AGAIN_MS)

export type Decision = 'approve' | 'cancel' | 'paid' | 'failed' | 'returned'

/** What becomes of a payout that was requested. */
export type LaterStatus = Exclude<PayoutStatus, 'requested'>

const STEPS: Record<Decision, { from: PayoutStatus[]; to: LaterStatus }> = {
  approve: { from: ['requested'], to: 'approved' },
  cancel: { from: ['requested', 'approved'], to: 'canceled' },
  paid: { from: ['in_transit'], to: 'paid' },
  failed: { from: ['in_transit'], to: 'failed' },
  returned: { from: ['paid'], to: 'returned' },
}
/** The steps that move money to the person who is paid: no one may do them alone for themselves. */
const FOR_ANOTHER: readonly Decision[] = ['approve', 'failed', 'returned']

/** Why a payout needs another operator: it is the viewer's own, or they recorded that an earlier one failed or came back. */
type NeedsAnother = 'own' | 'recovery'

/** Why the next step of a payout isn't this operator's to take, as `decided` refuses it; null where they may take it. */
export function needsAnother(
  payout: { user_id: string; status: PayoutStatus },
  { actorId, isRecovery }: { actorId: string; isRecovery: boolean },
): NeedsAnother | null {
  const isNext = (decision: Decision) => STEPS[decision].from.includes(payout.status)
  if (payout.user_id === actorId && FOR_ANOTHER.some(isNext)) return 'own'
  return isRecovery && isNext('approve') ? 'recovery' : null
}

/**
 * Why an operator may not decide this of a payout, or what the payout then is. `isRecovery`: it is they who said that an
 * earlier one of its person failed or came back, nobody else has approved one since, and somebody else could (decision 066).
 * `isSuspended`: its person is.
 */
export function decided(
  payout: { user_id: string; status: PayoutStatus },
  decision: Decision,
  { actorId, isRecovery, isSuspended }: { actorId: string; isRecovery: boolean; isSuspended: boolean },
): { refused: ErrorCode } | { status: LaterStatus } {
  if (FOR_ANOTHER.includes(decision) && payout.user_id === actorId) return { refused: 'own_payout' }
  if (decision === 'approve' && isRecovery) return { refused: 'own_recovery' }
  if (decision === 'approve' && isSuspended) return { refused: 'payout_suspended' }
  const { from, to } = STEPS[decision]
  return from.includes(payout.status) ? { status: to } : { refused: 'payout_changed' }
}
