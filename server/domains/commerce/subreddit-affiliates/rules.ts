import type { ErrorCode } from '../../../../contract/errors.ts'

/** A cent for each subscriber to the referrer, and as much to the subreddit. */
const CENTS_PER_SUBSCRIBER = 1

/** What each of both shares comes to, in cents. */
export function shareCents(subscribers: number): number {
  return subscribers * CENTS_PER_SUBSCRIBER
}

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
