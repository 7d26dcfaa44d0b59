import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { AccountRow } from '../accounts/data.ts'

/** What the forum last said of a tracked subreddit. */
export function findReading(db: Db, name: string) {
  return db
    .selectFrom('subreddits')
    .innerJoin('subreddit_readings as reading', 'reading.subreddit_id', 'subreddits.id')
    .select(['subreddits.id', 'subreddits.name', 'subreddits.subscribers', 'subreddits.description'])
    .select(['reading.state', 'reading.rules', 'reading.flair', 'reading.requirements'])
    .select(['reading.read_at', 'reading.account_read_at'])
    .where(sql`lower(subreddits.name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}
export type Reading = NonNullable<Awaited<ReturnType<typeof findReading>>>

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

/** A connected account of somebody who chose this subreddit for a post, for whom it is kept fresh. */
export async function findInterested(db: Db, subredditId: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('forum_post_subreddits as chosen')
    .innerJoin('forum_posts', 'forum_posts.id', 'chosen.post_id')
    .innerJoin('forum_accounts as account', 'account.user_id', 'forum_posts.user_id')
    .selectAll('account')
    .where('chosen.subreddit_id', '=', subredditId)
    .where('chosen.state', '=', 'usable')
    .where('account.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
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
