import { rolesWith } from '../../../../../contract/permissions.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { isThereAnother } from '../../../identity/roles/data.ts'
import { isSeconded, type Terms } from '../rules.ts'

type Wanted = {
  affiliateId: string
  terms: Terms
  actorId: string
  /** The person who referred the subreddit, and would earn by it. */
  applicantId: string
  reason: string
  now: Date
}

/**
 * An operator's proposal for a subreddit's shares, which the caller has locked. It takes effect once another operator
 * has proposed the same, or if nobody else could; else it waits for another and replaces an earlier one.
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

/** The proposal is closed, as it was decided. */
export async function withdrawProposal(db: Tx, affiliateId: string): Promise<void> {
  await db.deleteFrom('subreddit_proposals').where('affiliate_id', '=', affiliateId).execute()
}

/** The open proposal of an operator who may still decide. */
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
