import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { findAccount } from '../accounts/data.ts'
import { askAs, requireForum } from '../accounts/tokens/actions.ts'
import { REFUSED_MS } from '../submissions/rules.ts'
import { listBelow, listRecycling, listRemoving, type RecycleRule } from './data.ts'

/**
 * Lets posts be used again in subreddits where they went up long enough ago, did well, and weren't removed, for one person
 * after another; what fails for one keeps nobody else waiting. What repeats there too soon is refused when it is scheduled,
 * as anywhere.
 */
export async function recyclePosts({ db, clock, log }: Context): Promise<void> {
  for (const rule of await listRecycling(db)) {
    try {
      await db.transaction().execute((tx) => recycle(tx, rule, clock.now()))
    } catch (error) {
      log.error({ err: error }, 'posts were not made usable again')
    }
  }
}

/** The latest post of each post in each subreddit decides, all of which are read at once. */
async function recycle(
  tx: Tx,
  { user_id: userId, recycle_days: days, recycle_min_score: minScore }: RecycleRule,
  now: Date,
): Promise<void> {
  await sql`
    update forum_post_subreddits as chosen set state = 'usable', posted_at = null
    from (
      select each.post_id, each.subreddit_id
      from (
        select distinct on (post_id, subreddit_id) post_id, subreddit_id, score, removed_by, taken_down_at
        from scheduled_posts where user_id = ${userId} and state = 'posted'
        order by post_id, subreddit_id, post_at desc
      ) as latest join forum_post_subreddits as each
        on each.post_id = latest.post_id and each.subreddit_id = latest.subreddit_id
      where each.state = 'posted' and each.posted_at <= ${now}::timestamptz - ${days}::integer * interval '1 day'
        and latest.removed_by is null and latest.taken_down_at is null and latest.score >= ${minScore}
      -- What somebody is changing comes next time.
      for update of each skip locked
    ) as due
    where chosen.post_id = due.post_id and chosen.subreddit_id = due.subreddit_id`.execute(tx)
}

/** Posts of one person that are deleted in one run. */
const AT_ONCE = 50
/** People whom the forum didn’t answer for, until a run ends. */
const MAX_UNAVAILABLE = 3

/**
 * Deletes posts on the forum that stayed below the score their person set. Deleting twice does no harm, so what isn't
 * answered is asked for again; whether it is gone is seen when the post is looked at next.
 */
export async function takeDownPosts(context: Context): Promise<void> {
  const { db, clock, forum } = context
  if (!forum) return
  let unavailable = 0
  for (const { user_id, remove_below: below, remove_after_hours: afterHours } of await listRemoving(
    db,
    clock.now(),
  )) {
    const items = await listBelow(db, user_id, { below, afterHours, now: clock.now() }, AT_ONCE)
    for (const item of items) {
      const outcome = await takeDown(context, item)
      if (outcome === 'unavailable') {
        unavailable += 1
        break
      }
      const now = clock.now()
      const known = {
        done: { taken_down_at: now, follow_at: now },
        refused: { take_down_after: new Date(now.getTime() + REFUSED_MS) },
        disconnected: null,
      }[outcome]
      if (known)
        await db
          .transaction()
          .execute((tx) => tx.updateTable('scheduled_posts').set(known).where('id', '=', item.id).execute())
    }
    // It is down for everybody, then; the next run comes soon, and begins with others.
    if (unavailable >= MAX_UNAVAILABLE) return
  }
}

/** `refused`: not this post; `disconnected`: nothing of its account until that is connected again. */
async function takeDown(
  context: Context,
  { account_id, forum_post_id: postId }: { account_id: string | null; forum_post_id: string | null },
): Promise<'done' | 'refused' | 'disconnected' | 'unavailable'> {
  const account = account_id && (await findAccount(context.db, account_id))
  if (!account || !postId) return 'disconnected'
  try {
    const answer = await askAs(context, account, (token) => requireForum(context).deletePost(postId, token))
    if (answer.kind === 'down' || answer.kind === 'busy') return 'unavailable'
    return answer.kind === 'answered' ? 'done' : 'refused'
  } catch (error) {
    // Thrown by what comes before: the account's token.
    if (!(error instanceof AppError)) throw error
    return ['forum_reconnect', 'forum_account_not_found'].includes(error.code)
      ? 'disconnected'
      : 'unavailable'
  }
}
