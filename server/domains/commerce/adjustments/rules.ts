import type { ErrorCode } from '../../../../contract/errors.ts'

type Decision = {
  decision: 'approve' | 'decline'
  actorId: string
  /** Whether somebody but the proposer could approve it. */
  isThereAnother: boolean
  /** Whether the proposer may still adjust the books. */
  isProposerThere: boolean
}

/**
 * Why this operator can't decide an adjustment in this way; null where they can. Nobody approves their own while somebody
 * else could, and what somebody proposed who no longer may counts for nothing; anybody declines anything.
 */
export function decisionRefusal(
  adjustment: { status: 'proposed' | 'posted' | 'declined'; proposed_by: string },
  { decision, actorId, isThereAnother, isProposerThere }: Decision,
): ErrorCode | null {
  if (adjustment.status !== 'proposed') return 'adjustment_decided'
  if (decision === 'decline') return null
  if (!isProposerThere) return 'adjustment_lapsed'
  return adjustment.proposed_by === actorId && isThereAnother ? 'own_adjustment' : null
}

/** Where the day is the furthest ahead of UTC. */
const FURTHEST_AHEAD_MS = 14 * 3600 * 1000

/** Whether a document can be of this day: today anywhere, or before. */
export function isDatedBy(day: string, now: Date): boolean {
  return day <= new Date(now.getTime() + FURTHEST_AHEAD_MS).toISOString().slice(0, 10)
}
