import type { ErrorCode } from '../../../../contract/errors.ts'
import { can, type Role } from '../../../../contract/permissions.ts'
import type { SubscriptionStatus } from '../../../../contract/subscriptions.ts'

type Actor = { id: string; isCreator: boolean; role: Role | null }

/** Why this person may not see or give to a creator's subscribers; null when they may: the creator, and some operators. */
export function subscribersRefusal(actor: Actor, creatorId: string): ErrorCode | null {
  if (can(actor, 'subscriptions.extend')) return null
  if (creatorId !== actor.id) return 'not_yourself'
  return actor.isCreator ? null : 'creators_only'
}

/** Why free days can't be given to somebody with this live subscription, or with none (null); null when they can. */
export function daysRefusal(status: SubscriptionStatus | null): ErrorCode | null {
  return status === null || status === 'trialing' ? null : 'already_paying'
}

/** Why a live subscription, or none (null), can't be extended by free months; null when it can. */
export function extensionRefusal(
  status: SubscriptionStatus | null,
  renewal: { underWay: boolean },
): ErrorCode | null {
  if (status === null) return 'not_subscribed'
  // A debt stays owed.
  if (status === 'past_due') return 'renewal_unpaid'
  return renewal.underWay ? 'renewal_in_progress' : null
}
