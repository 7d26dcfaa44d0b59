import type { ErrorCode } from '../../../../contract/errors.ts'
import type { PayoutStatus } from '../../../db/tables/commerce/payouts.ts'

/** Transfers cost about the same whatever they move. */
export const MIN_PAYOUT_CENTS = 2000

export type Decision = 'approve' | 'cancel' | 'paid' | 'failed'

const STEPS: Record<Decision, { from: PayoutStatus[]; to: PayoutStatus }> = {
  approve: { from: ['requested'], to: 'approved' },
  cancel: { from: ['requested', 'approved'], to: 'canceled' },
  paid: { from: ['in_transit'], to: 'paid' },
  failed: { from: ['in_transit'], to: 'failed' },
}

/** Why an operator may not decide this of a payout, or what the payout then is. */
export function decided(
  payout: { user_id: string; status: PayoutStatus },
  decision: Decision,
  actorId: string,
): { refused: ErrorCode } | { status: PayoutStatus } {
  // One person alone must not be able to move money to themselves.
  if (decision === 'approve' && payout.user_id === actorId) return { refused: 'own_payout' }
  const { from, to } = STEPS[decision]
  return from.includes(payout.status) ? { status: to } : { refused: 'payout_changed' }
}
