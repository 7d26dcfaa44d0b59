import { sql } from 'kysely'
import { writeAudit } from '../../../db/audit.ts'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../viewer.ts'
import { areTags } from './data.ts'

/** One item that this person may change, their own or as a superadmin anybody's, held until the end. Throws `media_not_found`. */
export async function lockEditable(db: Tx, viewer: Viewer, mediaId: string) {
  const item = await db
    .selectFrom('media')
    .innerJoin('users', 'users.id', 'media.creator_id')
    .selectAll('media')
    .select('users.is_creator')
    .where('media.id', '=', mediaId)
    .where('media.deleted_at', 'is', null)
    .$if(viewer.role !== 'superadmin', (query) => query.where('media.creator_id', '=', viewer.id))
    .modifyEnd(sql`for update of media`)
    .executeTakeFirst()
  if (!item) throw new AppError('media_not_found')
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

/** Writes down what a superadmin does to somebody else's item; what people do to their own is not recorded. */
export async function auditForeign(
  db: Tx,
  viewer: Viewer,
  adminAction: {
    action: 'media.edited' | 'media.deleted'
    item: { id: string; creator_id: string }
    reason?: string
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
