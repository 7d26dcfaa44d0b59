import { sql } from 'kysely'
import { rolesWith } from '../../../../contract/permissions.ts'
import type { Db } from '../../../db/client.ts'
import { after, ahead, type PageRequest, positionOf, skipOf, timeAndId } from '../../../db/cursor.ts'

export type AffiliateRow = Awaited<ReturnType<typeof listAffiliates>>[number]

/**
 * Subreddits of the program with the people who brought them, one row more than the page holds: those that wait for a
 * decision of this operator, the oldest first; one person's, those whose share is held, or all, the newest first.
 */
export function listAffiliates(
  db: Db,
  of: { userId: string } | { showing: 'open' | 'held' | 'all'; operatorId: string },
  page: PageRequest,
) {
  const isQueue = 'showing' in of && of.showing === 'open'
  const order = isQueue ? 'asc' : 'desc'
  let rows = affiliatesOf(db)
    .orderBy('affiliate.applied_at', order)
    .orderBy('affiliate.id', order)
    .limit(page.limit + 1)
    .offset(skipOf(page))
  if ('userId' in of) rows = rows.where('affiliate.user_id', '=', of.userId)
  else if (of.showing === 'open')
    rows = rows
      .where('affiliate.status', '=', 'applied')
      // Their own proposals wait for somebody else.
      .where('proposed_by', 'is distinct from', of.operatorId)
  else if (of.showing === 'held')
    rows = rows.where('affiliate.status', '=', 'approved').where('affiliate.moderator_id', 'is', null)
  const { cursor } = page
  if (cursor !== undefined)
    rows = rows.where((eb) => {
      const [time, id] = [eb.ref('affiliate.applied_at'), eb.ref('affiliate.id')]
      return isQueue ? ahead(timeAndId(cursor), time, id) : after(cursor, time, id)
    })
  return rows.execute()
}

/** One subreddit of a person's, as it now stands; throws where there is none. */
export function findAffiliate(db: Db, id: string) {
  return affiliatesOf(db).where('affiliate.id', '=', id).executeTakeFirstOrThrow()
}

function affiliatesOf(db: Db) {
  return (
    db
      .selectFrom('subreddit_affiliates as affiliate')
      .innerJoin('users as person', 'person.id', 'affiliate.user_id')
      .leftJoin('users as moderator', 'moderator.id', 'affiliate.moderator_id')
      .leftJoin('subreddit_proposals as proposal', 'proposal.affiliate_id', 'affiliate.id')
      // Proposals of people who are no longer operators don't count.
      .leftJoin('users as proposer', (join) =>
        join
          .onRef('proposer.id', '=', 'proposed_by')
          .on('proposer.role', 'in', rolesWith('payouts.approve'))
          .on('proposer.hidden_at', 'is', null),
      )
      .leftJoin('users as proposed', 'proposed.id', 'proposal.moderator_id')
      .selectAll('affiliate')
      .select(['proposer.id as proposerId', 'proposer.username as proposerName'])
      .select([
        'proposal.subscribers as proposedSubscribers',
        'proposal.restrictions as proposedRestrictions',
      ])
      .select(['proposal.reason as proposedReason', 'proposal.moderator_id as proposedModeratorId'])
      .select([
        'proposed.username as proposedModeratorName',
        'proposed.deletion_requested_at as proposedModeratorLeavingSince',
      ])
      .select(['person.username', 'person.deletion_requested_at'])
      .select([
        'moderator.username as moderatorName',
        'moderator.deletion_requested_at as moderatorLeavingSince',
      ])
      .select((eb) =>
        eb
          .selectFrom('subreddits')
          .select('subscribers')
          .where(sql<string>`lower(subreddits.name)`, '=', eb.ref('affiliate.subreddit'))
          .limit(1)
          .as('known_subscribers'),
      )
      .select((eb) =>
        sql<string>`${positionOf(eb.ref('affiliate.applied_at'), eb.ref('affiliate.id'))}`.as('position'),
      )
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('journals')
              .innerJoin('postings', 'postings.journal_id', 'journals.id')
              .innerJoin('journals as cancellation', 'cancellation.source_id', 'postings.id')
              .select('cancellation.id')
              .where('journals.source_type', '=', 'commission')
              .whereRef('journals.source_id', '=', 'affiliate.id')
              .where('cancellation.source_type', '=', 'adjustment'),
          )
          .$castTo<boolean>()
          .as('canceled'),
      )
      .where('affiliate.livemode', '=', sql<boolean>`installation_livemode()`)
  )
}

/** How many subscribers the forum says a tracked subreddit has; null where nobody knows. */
export async function findKnownSubscribers(db: Db, subreddit: string): Promise<number | null> {
  const row = await db
    .selectFrom('subreddits')
    .select('subscribers')
    .where(sql<string>`lower(name)`, '=', subreddit)
    .executeTakeFirst()
  return row?.subscribers ?? null
}
