import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export const COLUMNS = [
  'id',
  'user_id',
  'name',
  'sealed_tokens',
  'expires_at',
  'renewal',
  'revoked_at',
  'stopped_by',
  'connected_at',
] as const

/** Somebody’s forum accounts, the first connected first. */
export function listAccounts(db: Db, userId: string) {
  return db
    .selectFrom('forum_accounts')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('connected_at')
    .orderBy('id')
    .execute()
}

export type AccountRow = Awaited<ReturnType<typeof listAccounts>>[number]

/** A connected account of any person. */
export function findAccount(db: Db, accountId: string): Promise<AccountRow | undefined> {
  return db.selectFrom('forum_accounts').select(COLUMNS).where('id', '=', accountId).executeTakeFirst()
}

/** The account that somebody’s own reading is done with: the first that is connected. */
export function findReadingAccount(db: Db, userId: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('forum_accounts')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy(sql`revoked_at is not null`)
    .orderBy('connected_at')
    .limit(1)
    .executeTakeFirst()
}

/** How many posts on the timeline and how many recurring slots an account has. */
export type Kept = { posts: number; slots: number }

/** The scheduled posts and slots of each of a person's accounts, by its id. */
export async function countKept(db: Db, userId: string): Promise<Map<string, Kept>> {
  const { rows } = await sql<Kept & { id: string }>`
    select account.id,
      (select count(*)::integer from scheduled_posts where account_id = account.id
        and state = 'scheduled' and not by_hand) as posts,
      (select count(*)::integer from forum_slots where account_id = account.id and not by_hand) as slots
    from forum_accounts as account where account.user_id = ${userId}`.execute(db)
  return new Map(rows.map(({ id, ...kept }) => [id, kept]))
}
