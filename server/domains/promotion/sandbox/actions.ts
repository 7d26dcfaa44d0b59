import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/client.ts'
import { deleteTopic } from '../../notifications/inbox/actions.ts'

/** How much there is of each kind of thing that `deletePromotion` deletes. */
export type PromotionCounts = {
  accounts: number
  subreddits: number
  posts: number
  scheduled: number
  threads: number
}

/** Counts what `deletePromotion` would delete, of everybody. */
export async function countPromotion(db: Db): Promise<PromotionCounts> {
  const { rows } = await sql<PromotionCounts>`
    select (select count(*) from forum_accounts)::int as accounts,
      (select count(*) from subreddits)::int as subreddits,
      (select count(*) from forum_posts)::int as posts,
      (select count(*) from scheduled_posts)::int as scheduled,
      (select count(*) from forum_threads)::int as threads`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('counting answered no row')
  return counts
}

/**
 * Deletes what a forum said, what is to be sent to it, and what was written about its subreddits, of everybody. Names of
 * lists, tags and saved replies stay. Grants are not revoked, so this is for the sandbox's forum alone.
 */
export async function deletePromotion(tx: Tx): Promise<void> {
  // With their visits; before the slots and accounts that they name.
  await tx.deleteFrom('scheduled_posts').execute()
  await tx.deleteFrom('forum_posts').execute()
  await tx.deleteFrom('forum_slots').execute()
  await tx.deleteFrom('forum_queues').execute()
  await tx.deleteFrom('forum_closed_pairs').execute()
  await tx.deleteFrom('verifications').execute()
  await tx.deleteFrom('subreddit_list_members').execute()
  // With their readings, changes and expected earnings.
  await tx.deleteFrom('subreddits').execute()
  // With their inboxes, threads, messages and replies.
  await tx.deleteFrom('forum_accounts').execute()
  await tx.deleteFrom('forum_contacts').execute()
  await tx.deleteFrom('forum_authorizations').execute()
  await tx.deleteFrom('forum_revocations').execute()
  await deleteTopic(tx, 'promotion')
}
