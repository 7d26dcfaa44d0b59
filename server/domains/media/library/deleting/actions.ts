import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Viewer } from '../../../../viewer.ts'
import { enqueueTagCount } from '../../tags/actions.ts'
import { auditForeign, lockEditable, lockFilled, lockOwn } from '../actions.ts'
import { restorable } from './data.ts'

/**
 * Takes an own item out of library, feeds and sale; who bought it keeps it. With the permission anybody's, for a reason, which is
 * recorded. Throws `media_not_found`.
 */
export async function deleteMedia(
  db: Tx,
  viewer: Viewer,
  { mediaId, reason, now }: { mediaId: string; reason?: string | undefined; now: Date },
): Promise<void> {
  const item = await lockEditable(db, viewer, { mediaId, permission: 'media.deleteAll', reason })
  await db
    .updateTable('media')
    .set({ deleted_at: now, deleted_by: viewer.id, deletion_reason: reason ?? '' })
    .where('id', '=', mediaId)
    .execute()
  await auditForeign(db, viewer, { action: 'media.deleted', item, reason, detail: {}, now })
  if (item.tag_ids.length > 0) await enqueueTagCount(db, now)
}

/** The same for several own items, all or none. Throws `media_not_found`. */
export async function bulkDeleteMedia(db: Tx, viewer: Viewer, mediaIds: string[], now: Date): Promise<void> {
  const items = await lockOwn(db, viewer, mediaIds)
  await db
    .updateTable('media')
    .set({ deleted_at: now, deleted_by: viewer.id })
    .where('id', '=', sql<string>`any(${items.map(({ id }) => id)}::uuid[])`)
    .execute()
  await enqueueTagCount(db, now)
}

/**
 * Takes the deletion of own items back, all or none, within 30 days; one that is not deleted stays as it is. Throws
 * `media_not_found` for another's, one that was deleted too long ago, and one that the operator took out.
 */
export async function restoreMedia(db: Tx, viewer: Viewer, mediaIds: string[], now: Date): Promise<void> {
  const wanted = [...new Set(mediaIds)]
  await lockFilled(db, wanted)
  const items = await db
    .selectFrom('media')
    .select('id')
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('creator_id', '=', viewer.id)
    .where((eb) => eb.or([eb('deleted_at', 'is', null), restorable(now)]))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (items.length < wanted.length) throw new AppError('media_not_found')
  await db
    .updateTable('media')
    .set({ deleted_at: null, deleted_by: null, deletion_reason: '' })
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('deleted_at', 'is not', null)
    .execute()
  await enqueueTagCount(db, now)
}
