import { rolesWith } from '../../../../../contract/permissions.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { isThereAnother } from '../../second-person/data.ts'
import { isSeconded, type Terms } from '../rules.ts'

type Wanted = {
  affiliateId: string
  terms: Terms
  actorId: string
  /** Who brought the subreddit, and stands to earn by it. */
  applicantId: string
  reason: string
  now: Date
}

/**
 * What an operator wants of a subreddit's shares, which the caller has locked: it holds once another operator has proposed
 * the same, or where nobody else could; else it is the proposal that waits for another, in place of an earlier one.
 */
export async function propose(
  db: Tx,
  wanted: Wanted,
): Promise<{ waits: true } | { waits: false; proposedBy: string | null }> {
  const { affiliateId, terms, actorId, applicantId, reason, now } = wanted
  const proposal = await findProposal(db, affiliateId)
  if (isSeconded(proposal, terms, actorId)) {
    await withdrawProposal(db, affiliateId)
    return { waits: false, proposedBy: proposal?.proposedBy ?? null }
  }
  // Where the referrer is paid as well, naming the only other operator for the share must not leave one to decide alone.
  const paid = terms.subscribers === null && terms.moderatorId !== null ? [terms.moderatorId] : []
  if (!(await isThereAnother(db, 'payouts.approve', [actorId, applicantId, ...paid]))) {
    await withdrawProposal(db, affiliateId)
    return { waits: false, proposedBy: null }
  }
  const values = {
    ...{ proposed_by: actorId, proposed_at: now, reason },
    ...{ subscribers: terms.subscribers, restrictions: terms.restrictions, moderator_id: terms.moderatorId },
  }
  await db
    .insertInto('subreddit_proposals')
    .values({ affiliate_id: affiliateId, ...values })
    .onConflict((conflict) => conflict.column('affiliate_id').doUpdateSet(values))
    .execute()
  return { waits: true }
}

/** What was proposed is over, as it was decided. */
export async function withdrawProposal(db: Tx, affiliateId: string): Promise<void> {
  await db.deleteFrom('subreddit_proposals').where('affiliate_id', '=', affiliateId).execute()
}

/** What an operator who may still decide has proposed. */
async function findProposal(db: Db, affiliateId: string) {
  const row = await db
    .selectFrom('subreddit_proposals')
    .innerJoin('users', 'users.id', 'proposed_by')
    .select(['proposed_by as proposedBy', 'subscribers', 'restrictions', 'moderator_id as moderatorId'])
    .where('affiliate_id', '=', affiliateId)
    .where('users.role', 'in', rolesWith('payouts.approve'))
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
