import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import type { Viewer } from '../../../../viewer.ts'
import { enqueueTagCount } from '../../tags/actions.ts'
import { auditForeign, lockEditable, lockOwn } from '../actions.ts'
import { restorableAfter } from '../rules.ts'
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
  await db.updateTable('media').set({ deleted_at: now }).where('id', '=', mediaId).execute()
  await auditForeign(db, viewer, { action: 'media.deleted', item, reason, detail: {}, now })
  if (item.tag_ids.length > 0) await enqueueTagCount(db, now)
}

/** The same for several own items, all or none. Throws `media_not_found`. */
export async function bulkDeleteMedia(db: Tx, viewer: Viewer, mediaIds: string[], now: Date): Promise<void> {
  const items = await lockOwn(db, viewer, mediaIds)
  await db
    .updateTable('media')
    .set({ deleted_at: now })
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
    .set({ deleted_at: null })
    .where('id', '=', sql<string>`any(${wanted}::uuid[])`)
    .where('deleted_at', 'is not', null)
    .execute()
  await enqueueTagCount(db, now)
}

/**
 * Gives up at most `limit` items that were deleted more than 30 days ago, which nobody owns and nobody's undecided
 * purchase may still grant; their files go by jobs of the same transaction. Returns how many there were.
 */
export async function purgeDeleted(db: Db, now: Date, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // With another prefix the item has no claim on what lies under the old one.
    const { rows } = await sql<{ mediaId: string; storageId: string }>`
      update media set purged_at = ${now}, storage_id = uuidv7(), variants = '[]', bytes = 0 where id in (
        select id from media
        where deleted_at is not null and deleted_at <= ${restorableAfter(now)} and purged_at is null
          and not exists (
            select from entitlement_media join entitlements on entitlements.id = entitlement_media.entitlement_id
            where entitlement_media.media_id = media.id and entitlements.revoked_at is null
          )
          and not exists (
            select from purchases where status in ('created', 'submitting', 'held', 'unknown') and (
              item_id = media.id
              or item_id in (select bundle_id from bundle_media where bundle_media.media_id = media.id)
            )
          )
        order by deleted_at limit ${limit} for update skip locked
      ) returning id as "mediaId", old.storage_id as "storageId"`.execute(transaction)
    for (const item of rows) await enqueue(transaction, 'media.remove-files', { ...item, names: null })
    return rows.length
  })
}
