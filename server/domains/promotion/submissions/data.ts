import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isBlockedGif } from '../../media/quarantine/blocked/data.ts'
import { embedOf } from '../schedule/data.ts'

/** The accounts that have something to post or to comment and may; null where comments are left of one that is gone. */
export async function listDueAccounts(db: Db, now: Date): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`
    select account.id from forum_accounts as account join users on users.id = account.user_id
    where users.hidden_at is null and account.stopped_by is null
      -- What is owed to a post that went up late doesn't keep the pace of posts.
      and (account.resting_until is null or account.resting_until <= ${now} or account.rest_reason = 'pace')
      and (
        exists (select from scheduled_posts where account_id = account.id
          and comment_state in ('due', 'sending') and comment_at <= ${now})
        or (
          account.revoked_at is null and (account.resting_until is null or account.resting_until <= ${now})
          and not exists (select from forum_queues where user_id = account.user_id and paused)
          and exists (select from scheduled_posts where account_id = account.id
            and state = 'scheduled' and not by_hand and post_at <= ${now})
        )
      )
    union all
    select null where exists (select from scheduled_posts as item join users on users.id = item.user_id
      where users.hidden_at is null and item.account_id is null
        and comment_state in ('due', 'sending') and comment_at <= ${now})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The items whose time to be posted by hand has come. */
export async function listDueByHand(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .innerJoin('users', 'users.id', 'scheduled_posts.user_id')
    .select('scheduled_posts.id')
    .where('users.hidden_at', 'is', null)
    .where('state', '=', 'scheduled')
    .where('by_hand', '=', true)
    .where('post_at', '<=', now)
    .orderBy('post_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The items that wait for their person and may be up by now, of accounts that can be asked. */
export function listLookedFor(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('forum_accounts as account', 'account.id', 'item.account_id')
    .innerJoin('users', 'users.id', 'item.user_id')
    .select(['item.id', 'item.account_id', 'item.post_at'])
    .where('item.state', '=', 'waiting')
    .where('item.check_at', '<=', now)
    .where('account.revoked_at', 'is', null)
    .where('users.hidden_at', 'is', null)
    .orderBy('item.check_at')
    .limit(limit)
    .execute()
}

/** The name on the forum that somebody gave; empty without one. */
export async function findForumUsername(db: Db, userId: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('reddit_username')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.reddit_username ?? ''
}

/** The items that were sent and whose answer is overdue. */
export async function listInDoubt(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select('id')
    .where('state', '=', 'submitting')
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The items of an account whose comment is to be sent, or to be looked up. */
export async function listDueComments(
  db: Db,
  { accountId, now, limit }: { accountId: string | null; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('scheduled_posts')
    .select('id')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('comment_state', 'in', ['due', 'sending'])
    .where('comment_at', '<=', now)
    .orderBy('comment_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether the operator took down the item, or blocked the gif, that a post with this key shows. */
export async function isTakenDown(db: Db, mediaKey: string): Promise<boolean> {
  const mediaId = /^media:(.*)$/.exec(mediaKey)?.[1]
  const isDown = mediaId
    ? sql<boolean>`exists (select from media where id = ${mediaId} and quarantined_at is not null)`
    : isBlockedGif(embedOf(sql`${mediaKey}::text`))
  const { rows } = await sql<{ down: boolean }>`select ${isDown} as down`.execute(db)
  return rows[0]?.down === true
}

/** The posts that are looked at again. */
export function listFollowed(db: Db, now: Date, limit: number) {
  return db
    .selectFrom('scheduled_posts')
    .select(['id', 'account_id', 'forum_post_id', 'followed', 'posted_at'])
    .where('follow_at', '<=', now)
    .orderBy('follow_at')
    .limit(limit)
    .execute()
}

/** An item with what sending it takes. */
export function findSendable(db: Db, itemId: string) {
  return db
    .selectFrom('scheduled_posts as item')
    .innerJoin('subreddits', 'subreddits.id', 'item.subreddit_id')
    .selectAll('item')
    .select('subreddits.name as subreddit')
    .select(
      sql<boolean>`item.resubmit or exists (select from scheduled_posts as earlier where earlier.user_id = item.user_id
        and earlier.media_key = item.media_key and earlier.subreddit_id = item.subreddit_id and earlier.state = 'posted')`.as(
        'is_repeated',
      ),
    )
    .where('item.id', '=', itemId)
    .executeTakeFirst()
}
export type SendableRow = NonNullable<Awaited<ReturnType<typeof findSendable>>>
