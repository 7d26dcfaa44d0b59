import { sql } from 'kysely'
import type { Flair } from '../../../../contract/forum.ts'
import type { Db } from '../../../db/client.ts'

/** The titles of somebody’s posts by id, and whether they are compared; what isn’t theirs is left out. */
export async function findTitles(
  db: Db,
  userId: string,
  postIds: string[],
): Promise<Map<string, { titles: string[]; test_titles: boolean }>> {
  const rows = await db
    .selectFrom('forum_posts')
    .select(['id', 'titles', 'test_titles'])
    .where('user_id', '=', userId)
    .where('id', '=', sql<string>`any(${postIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, ...post }) => [id, post]))
}

/** Somebody’s posts that have one of these titles. */
export function findByTitles(db: Db, userId: string, titles: string[]) {
  return db
    .selectFrom('forum_posts')
    .select(['id', 'titles'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`titles && ${titles}::text[]`)
    .execute()
}

/** The flair of these subreddits, by their names in small letters; null where it isn’t known. */
export async function findFlair(db: Db, names: string[]): Promise<Map<string, Flair[] | null>> {
  const rows = await db
    .selectFrom('subreddits')
    .leftJoin('subreddit_readings as reading', 'reading.subreddit_id', 'subreddits.id')
    .select(['subreddits.name', 'reading.flair'])
    .where(sql`lower(name)`, '=', sql`any(${names.map((name) => name.toLowerCase())}::text[])`)
    .execute()
  return new Map(rows.map(({ name, flair }) => [name.toLowerCase(), flair]))
}

/** The flair that somebody’s latest post in a subreddit has, of those that it still offers; undefined where there is none. */
export function findLastFlair(db: Db, { userId, subreddit }: { userId: string; subreddit: string }) {
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .leftJoin('subreddit_readings as reading', 'reading.subreddit_id', 'subreddits.id')
    .select(['item.flair_id as flairId', 'item.flair_text as flairText'])
    .where('item.user_id', '=', userId)
    .where(sql`lower(subreddits.name)`, '=', subreddit.toLowerCase())
    .where('item.state', 'in', ['scheduled', 'waiting', 'submitting', 'posted', 'unknown'])
    .where('item.flair_id', 'is not', null)
    .where(
      sql<boolean>`(reading.flair is null or reading.flair @> jsonb_build_array(jsonb_build_object('id', item.flair_id)))`,
    )
    .orderBy('item.post_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** All of somebody’s timeline, by its time. */
export function listTimeline(db: Db, userId: string) {
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .leftJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .select([
      'item.post_id',
      'subreddits.name as subreddit',
      'item.title',
      'item.post_at',
      'item.comment',
      'item.flair_id',
      'item.flair_text',
      'item.by_hand',
      'item.nsfw',
      'account.name as account',
      'item.state',
      'item.permalink',
      'item.score',
      'item.removed_by',
    ])
    .where('item.user_id', '=', userId)
    .where('item.state', '<>', 'canceled')
    .orderBy('item.post_at')
    .orderBy('item.id')
    .execute()
}
