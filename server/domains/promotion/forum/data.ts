import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { AccountRow } from '../accounts/data.ts'

/** The latest facts about a tracked subreddit. */
export function findReading(db: Db, name: string) {
  return db
    .selectFrom('subreddits')
    .innerJoin('subreddit_readings as reading', 'reading.subreddit_id', 'subreddits.id')
    .select(['subreddits.id', 'subreddits.name', 'subreddits.subscribers', 'subreddits.description'])
    .select(['reading.state', 'reading.rules', 'reading.flair', 'reading.requirements'])
    .select(['reading.read_at', 'reading.account_read_at', 'reading.account_tried_at'])
    .where(sql`lower(subreddits.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}
export type Reading = NonNullable<Awaited<ReturnType<typeof findReading>>>

/** Recent changes of a subreddit on the forum, newest first. */
export function listChanges(db: Db, name: string) {
  return db
    .selectFrom('subreddit_changes as change')
    .innerJoin('subreddits', 'subreddits.id', 'change.subreddit_id')
    .select(['change.id', 'change.part', 'change.before', 'change.after', 'change.changed_at'])
    .where(sql`lower(subreddits.name)`, '=', name.toLowerCase())
    .orderBy('change.changed_at', 'desc')
    .orderBy('change.id', 'desc')
    .execute()
}

/** The names of those that are to be read from the forum again, the longest due first. */
export async function findDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subreddit_readings as reading')
    .innerJoin('subreddits', 'subreddits.id', 'reading.subreddit_id')
    .select('subreddits.name')
    .where('reading.next_read_at', '<=', now)
    .orderBy('reading.next_read_at')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** Accounts that one reading tries at most. */
const MAX_READERS = 3

/**
 * Connected accounts of those who chose this subreddit for a post, for whom it is kept fresh; in another order each day,
 * so that each is tried in the end.
 */
export async function findInterested(db: Db, subredditId: string, now: Date): Promise<AccountRow[]> {
  const day = now.toISOString().slice(0, 10)
  return db
    .selectFrom('forum_accounts as account')
    .selectAll('account')
    .where('account.revoked_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('forum_post_subreddits as chosen')
          .innerJoin('forum_posts', 'forum_posts.id', 'chosen.post_id')
          .whereRef('forum_posts.user_id', '=', 'account.user_id')
          .where('chosen.subreddit_id', '=', subredditId)
          .where('chosen.state', 'in', ['usable', 'scheduled']),
      ),
    )
    .orderBy(sql`md5(account.id::text || ${day})`)
    .limit(MAX_READERS)
    .execute()
}

/** Of these names, in small letters, those that are tracked. */
export async function findTracked(db: Db, names: string[]): Promise<Set<string>> {
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('subreddits')
    .select(sql<string>`lower(name)`.as('name'))
    .where(sql`lower(name)`, '=', sql`any(${lower}::text[])`)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** The facts about those of these names that are tracked, by lower-case name, with the person’s own record. */
export async function findKnown(db: Db, userId: string, names: string[]) {
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('subreddits')
    .leftJoin('verifications as own', (join) =>
      join.onRef('own.subreddit_id', '=', 'subreddits.id').on('own.user_id', '=', userId),
    )
    .select([sql<string>`lower(subreddits.name)`.as('name'), 'subreddits.verification_type', 'own.status'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('subreddit_list_members as member')
            .innerJoin('subreddit_lists as list', 'list.id', 'member.list_id')
            .whereRef('member.subreddit_id', '=', 'subreddits.id')
            .where('list.remove_from_search', '=', true)
            .where((or) => or.or([or('list.user_id', '=', userId), or('list.user_id', 'is', null)])),
        )
        .as('removed'),
    )
    .where(sql`lower(subreddits.name)`, '=', sql`any(${lower}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}
