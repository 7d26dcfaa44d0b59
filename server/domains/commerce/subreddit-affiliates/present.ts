import type { z } from 'zod'
import { shareCents } from '../../../../contract/commissions.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { SubredditAffiliate } from '../../../../contract/routes/commerce/subreddit-affiliates.ts'
import { presentPerson } from '../present.ts'
import type { AffiliateRow } from './data.ts'

/** A subreddit of the program as the one sees it who brought it. */
export function presentAffiliate(row: AffiliateRow): z.output<typeof SubredditAffiliate> {
  return {
    _id: row.id,
    subreddit: row.subreddit,
    status: row.status,
    subscribers: row.subscribers ?? row.stated_subscribers,
    amount: row.subscribers === null ? null : formatMoney(shareCents(row.subscribers)),
    canceled: row.canceled,
    restrictions: row.restrictions,
    reason: row.status === 'refused' ? row.reason : null,
    appliedAt: row.applied_at.toISOString(),
  }
}

/** The same as operators see it. */
export function presentAnyAffiliate(row: AffiliateRow) {
  const { moderator_id, moderatorName, moderatorLeavingSince } = row
  return {
    ...presentAffiliate(row),
    person: presentPerson(row.user_id, row.username, row.deletion_requested_at),
    knownSubscribers: row.known_subscribers,
    moderator:
      moderator_id && moderatorName
        ? presentPerson(moderator_id, moderatorName, moderatorLeavingSince)
        : null,
    proposal: presentProposal(row),
  }
}

function presentProposal(row: AffiliateRow) {
  const { proposerId, proposerName, proposedModeratorId, proposedModeratorName } = row
  if (!proposerId || !proposerName) return null
  return {
    by: presentPerson(proposerId, proposerName, null),
    subscribers: row.proposedSubscribers,
    restrictions: row.proposedRestrictions ?? '',
    moderator:
      proposedModeratorId && proposedModeratorName
        ? presentPerson(proposedModeratorId, proposedModeratorName, row.proposedModeratorLeavingSince)
        : null,
    reason: row.proposedReason ?? '',
  }
}
