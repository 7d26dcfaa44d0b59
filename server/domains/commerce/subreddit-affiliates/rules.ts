import type { ErrorCode } from '../../../../contract/errors.ts'

/** How many applications of one person may wait for a decision. */
export const MAX_OPEN_APPLICATIONS = 10

type Application = {
  status: 'applied' | 'approved' | 'refused'
  user_id: string
  moderator_id: string | null
}

/** Why an application can't be decided by this operator; null where it can. Nobody approves their own. */
export function decisionRefusal(
  application: Application,
  { decision, actorId }: { decision: 'approve' | 'refuse'; actorId: string },
): ErrorCode | null {
  if (application.status !== 'applied') return 'application_decided'
  return decision === 'approve' && application.user_id === actorId ? 'own_application' : null
}

/**
 * Why this operator can't pay the subreddit's own share to this person; null when they can. Nobody pays it out for a
 * subreddit that they brought themselves.
 */
export function shareRefusal(
  { status, user_id, moderator_id }: Application,
  { moderatorId, actorId }: { moderatorId: string; actorId: string },
): ErrorCode | null {
  if (status !== 'approved' || moderator_id !== null) return 'share_not_held'
  return moderatorId === actorId || user_id === actorId ? 'own_application' : null
}

/** An operator's proposal: for how many subscribers (null: the held share alone), under which conditions, to whom. */
export type Terms = { subscribers: number | null; restrictions: string; moderatorId: string | null }

/** Whether another operator has proposed just this, so that two people stand behind it. */
export function isSeconded(
  proposal: (Terms & { proposedBy: string }) | null,
  terms: Terms,
  actorId: string,
): boolean {
  if (!proposal || proposal.proposedBy === actorId) return false
  return (
    proposal.subscribers === terms.subscribers &&
    proposal.restrictions === terms.restrictions &&
    proposal.moderatorId === terms.moderatorId
  )
}
