import { sql } from 'kysely'
import type { AuditAction } from '../../../../contract/audit.ts'
import type { Body } from '../../../../contract/route.ts'
import type { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError, violates } from '../../../errors.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { findByNames } from './data.ts'

type Edit = Body<typeof subredditRoutes.editSubreddit>

/**
 * Tracks subreddits by these names that aren’t tracked yet, to be read from the forum; answers how many there are new.
 * What the forum said of some already comes along.
 */
export async function track(
  tx: Tx,
  found: readonly { name: string; subscribers?: number | null; description?: string }[],
  now: Date,
): Promise<string[]> {
  if (found.length === 0) return []
  // In one order, so that no two that track the same names at once wait for each other.
  const sorted = found.toSorted((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
  const rows = await tx
    .insertInto('subreddits')
    .values(
      sorted.map(({ name, subscribers = null, description = '' }) => ({
        name,
        subscribers,
        description,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
    .execute()
  if (rows.length > 0)
    await tx
      .insertInto('subreddit_readings')
      .values(rows.map(({ id }) => ({ subreddit_id: id, next_read_at: now })))
      .execute()
  return rows.map(({ id }) => id)
}

/**
 * Has the forum asked at once for what takes an account, requirements and flair, of the subreddits that one post of
 * somebody can go to, or all of their posts; only where nobody could tell yet and their account can.
 */
export async function readAccountDetailsNow(
  tx: Tx,
  { userId, postId = null, now }: { userId: string; postId?: string | null; now: Date },
): Promise<void> {
  const { numAffectedRows } = await sql`
    update subreddit_readings set next_read_at = ${now} where subreddit_id in (
      select subreddit_id from subreddit_readings
      where account_read_at is null and state = 'read' and next_read_at > ${now}
        and subreddit_id in (
          select chosen.subreddit_id from forum_posts as post
            join forum_post_subreddits as chosen
              on chosen.post_id = post.id and chosen.state in ('usable', 'scheduled')
          where post.user_id = ${userId} and (${postId}::uuid is null or post.id = ${postId}))
        and exists (select from forum_accounts where user_id = ${userId} and revoked_at is null)
      for update skip locked)`.execute(tx)
  if (numAffectedRows) await enqueue(tx, 'forum.refresh', {})
}

/** Tracks what an operator named, and has the forum asked for all of it; answers how many are new. */
export async function importNames(
  tx: Tx,
  { names, actorId, now }: { names: string[]; actorId: string; now: Date },
): Promise<number> {
  const once = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()]
  const added = await track(
    tx,
    once.map((name) => ({ name })),
    now,
  )
  const all = await findByNames(tx, once)
  await tx
    .updateTable('subreddit_readings')
    .set({ next_read_at: now })
    .where('subreddit_id', '=', sql<string>`any(${all.map(({ id }) => id)}::uuid[])`)
    .execute()
  await enqueue(tx, 'forum.refresh', {})
  await audit(tx, {
    action: 'subreddits.imported',
    targetId: 'subreddits',
    detail: { named: once.length },
    actorId,
    now,
  })
  return added.length
}

/** Keeps what an operator notes of a subreddit, all or a part, tracking it if need be. Throws `subreddit_tag_not_found`. */
export async function editSubreddit(
  tx: Tx,
  { edit, actorId, now }: { edit: Edit; actorId: string; now: Date },
): Promise<void> {
  const tagIds = edit.srTagIds && [...new Set(edit.srTagIds)]
  if (tagIds) await requireTags(tx, tagIds)
  await track(tx, [{ name: edit.srName }], now)
  await tx
    .updateTable('subreddits')
    .set(({ ref }) => ({
      // A statement that sets nothing is none.
      name: ref('name'),
      verification_type: edit.verificationType,
      notes: edit.notes,
      categorized: edit.categorized,
      selling_accounts_allowed: edit.sellingAccountsAllowed,
      oc_settings: edit.ocSettings,
      boy_and_girl_required: edit.boyAndGirlRequired,
      couples_only: edit.couplesOnly,
      males_allowed: edit.malesAllowed,
      women_only: edit.womenOnly,
      toys_allowed: edit.toysAllowed,
      sex_acts_allowed: edit.sexActsAllowed,
      watermark_type: edit.watermarkType,
      face_required: edit.faceRequired,
      post_max: edit.pfMaxPosts,
      post_interval: edit.pfIntervalAmount,
      post_unit: edit.pfIntervalUnit,
      repost_max: edit.rpfMaxPosts,
      repost_interval: edit.rpfIntervalAmount,
      repost_unit: edit.rpfIntervalUnit,
      tag_ids: tagIds,
    }))
    .where(sql`lower(name)`, '=', edit.srName.toLowerCase())
    .execute()
  await audit(tx, { action: 'subreddit.edited', targetId: edit.srName, detail: {}, actorId, now })
}

async function requireTags(tx: Tx, tagIds: string[]): Promise<void> {
  const { known } = await tx
    .selectFrom('subreddit_tags')
    .select((eb) => eb.fn.countAll<number>().as('known'))
    .where('id', '=', sql<string>`any(${tagIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  if (known < tagIds.length) throw new AppError('subreddit_tag_not_found')
}

/** The reasons to keep tracking a subreddit. */
const USERS = [
  'verifications',
  'subreddit_list_members',
  'forum_post_subreddits',
  'scheduled_posts',
  'forum_closed_pairs',
]

/** Stops tracking a subreddit. Throws `subreddit_not_found`, and `subreddit_in_use` while somebody uses it. */
export async function deleteSubreddit(
  tx: Tx,
  { name, actorId, now }: { name: string; actorId: string; now: Date },
): Promise<void> {
  try {
    const gone = await tx
      .deleteFrom('subreddits')
      .where(sql`lower(name)`, '=', name.toLowerCase())
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw new AppError('subreddit_not_found')
  } catch (error) {
    throw USERS.some((table) => violates(error, `${table}_subreddit_id_fkey`))
      ? new AppError('subreddit_in_use')
      : error
  }
  await audit(tx, { action: 'subreddit.deleted', targetId: name, detail: {}, actorId, now })
}

/** Adds a tag, or finds the one of this name. */
export async function addTag(
  tx: Tx,
  { name, actorId, now }: { name: string; actorId: string; now: Date },
): Promise<{ id: string; name: string }> {
  const added = await tx
    .insertInto('subreddit_tags')
    .values({ name })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst()
  if (added) {
    await audit(tx, { action: 'subreddit-tag.added', targetId: name, detail: {}, actorId, now })
    return added
  }
  return tx
    .selectFrom('subreddit_tags')
    .select(['id', 'name'])
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirstOrThrow()
}

function audit(
  tx: Tx,
  entry: {
    action: AuditAction
    targetId: string
    detail: Record<string, unknown>
    actorId: string
    now: Date
  },
) {
  return writeAudit(tx, { ...entry, targetKind: 'subreddit', reason: 'Edited the list of subreddits.' })
}
