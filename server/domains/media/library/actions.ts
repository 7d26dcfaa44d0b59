import { sql } from 'kysely'
import { can, type Permission } from '../../../../contract/permissions.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { NEW_UPLOAD_FLAGS } from '../../../../contract/visibility.ts'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../viewer.ts'
import { requireUnblockedGif } from '../quarantine/blocked/actions.ts'
import { flagColumns } from '../rules.ts'
import { areTags } from './data.ts'

/**
 * Holds what fills the plans of these items' creators, before the items: an edit of a plan takes both in this order, and
 * the trigger that puts an item into plans would take them the other way round.
 */
export async function lockFilled(db: Tx, mediaIds: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(hashtextextended('plans ' || creator_id, 0))
    from (select distinct creator_id from media where id = any(${mediaIds}::uuid[])) as item`.execute(db)
}

/**
 * One item that this person may change, their own or with the permission anybody's, held until the end. Throws
 * `media_not_found`, and `reason_required` where the item is somebody else's and it isn't said why.
 */
export async function lockEditable(
  db: Tx,
  viewer: Viewer,
  { mediaId, permission, reason }: { mediaId: string; permission: Permission; reason: string | undefined },
) {
  const item = await db
    .selectFrom('media')
    .innerJoin('users', 'users.id', 'media.creator_id')
    .selectAll('media')
    .select('users.is_creator')
    .where('media.id', '=', mediaId)
    .where('media.deleted_at', 'is', null)
    .$if(!can(viewer, permission), (query) => query.where('media.creator_id', '=', viewer.id))
    .modifyEnd(sql`for update of media`)
    .executeTakeFirst()
  if (!item) throw new AppError('media_not_found')
  if (item.creator_id !== viewer.id && !reason) throw new AppError('reason_required')
  return item
}

/**
 * All of these own items, held until the end; in the order of their ids, so that two calls never wait for each other.
 * Throws `media_not_found` when one is another's or deleted.
 */
export async function lockOwn(db: Tx, viewer: Viewer, mediaIds: string[]) {
  const wanted = [...new Set(mediaIds)]
  const items = await db
    .selectFrom('media')
    .innerJoin('users', 'users.id', 'media.creator_id')
    .selectAll('media')
    .select('users.is_creator')
    .where('media.id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('media.creator_id', '=', viewer.id)
    .where('media.deleted_at', 'is', null)
    .orderBy('media.id')
    .modifyEnd(sql`for update of media`)
    .execute()
  if (items.length < wanted.length) throw new AppError('media_not_found')
  return items
}

/** The same tags without repetitions; throws `tag_not_found` when one of them is none. */
export async function requireTags(db: Tx, tagIds: string[]): Promise<string[]> {
  if (!(await areTags(db, tagIds))) throw new AppError('tag_not_found')
  return [...new Set(tagIds)]
}

/** Writes down what an operator does to somebody else's item; what people do to their own is not recorded. */
export async function auditForeign(
  db: Tx,
  viewer: Viewer,
  adminAction: {
    action: 'media.edited' | 'media.deleted'
    item: { id: string; creator_id: string }
    reason: string | undefined
    detail: Record<string, unknown>
    now: Date
  },
): Promise<void> {
  const { action, item, reason = '', detail, now } = adminAction
  if (item.creator_id === viewer.id) return
  await writeAudit(db, {
    actorId: viewer.id,
    action,
    targetKind: 'media',
    targetId: item.id,
    reason,
    detail: { creatorId: item.creator_id, ...detail },
    now,
  })
}

/** Most external gifs are upright; what theirs looks like is not known before somebody plays it, so its blur is gray. */
const SHAPE = { width: 1080, height: 1920, thumbhash: 'IAgCBABYi3iId3t3+JcAAAAAAA==' }

/**
 * Adds an external gif to the person's library and returns its id; locked and shown nowhere, as a new upload is
 * (docs/product.md, Media). `duration` in seconds, null when it is not known. Throws `red_gif_unreadable`,
 * `media_blocked`, `tag_not_found`.
 */
export async function addRedGif(
  db: Tx,
  gif: { creatorId: string; redGif: string; duration: number | null; tagIds: string[]; now: Date },
): Promise<string> {
  const embed = redGifEmbedUrl(gif.redGif)
  if (embed === '') throw new AppError('red_gif_unreadable')
  await requireUnblockedGif(db, embed)
  const { id } = await db
    .insertInto('media')
    .values({
      ...SHAPE,
      ...flagColumns(NEW_UPLOAD_FLAGS),
      creator_id: gif.creatorId,
      type: 'video',
      red_gif: embed,
      duration_seconds: gif.duration === null ? null : Math.floor(gif.duration),
      variants: '[]',
      bytes: 0,
      tag_ids: await requireTags(db, gif.tagIds),
      created_at: gif.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes down that a frame of this video is being made its poster; `label` tells it from those asked for before. */
export async function beginPoster(db: Tx, { mediaId, label }: { mediaId: string; label: string }) {
  await db
    .insertInto('posters')
    .values({ media_id: mediaId, label, status: 'preparing' })
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet({ label, status: 'preparing' }))
    .execute()
}

/** Writes down how that ended. Nothing changes when another frame was asked for meanwhile. */
export async function endPoster(
  db: Tx,
  { mediaId, label }: { mediaId: string; label: string },
  status: 'ready' | 'failed',
): Promise<void> {
  await db
    .updateTable('posters')
    .set({ status })
    .where('media_id', '=', mediaId)
    .where('label', '=', label)
    .execute()
}
