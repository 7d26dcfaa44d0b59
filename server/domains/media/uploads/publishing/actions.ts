import { NEW_UPLOAD_FLAGS } from '../../../../../contract/visibility.ts'
import { writeAudit } from '../../../../db/audit.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import type { Processed } from '../../../../ports/video/port.ts'
import { notify } from '../../../notifications/actions.ts'
import { mayPublish } from '../../quarantine/blocked/actions.ts'
import { flagColumns } from '../../rules.ts'
import { retireVersion } from '../../versions/actions.ts'
import { failUpload } from '../actions.ts'
import { lockFiles } from '../own-files/data.ts'
import { firstTitle } from '../rules.ts'

/**
 * Makes the media item, or gives the item that the upload replaces its new file, and marks the upload ready: all or
 * nothing. False when the upload was given up meanwhile, its item deleted or taken down, or its file blocked, which fails it. A new item starts locked
 * and shown nowhere (docs/product.md, Media), a creator's under its file's name; a replaced one keeps all but its file.
 */
export async function publishUpload(
  db: Db,
  uploadId: string,
  processed: Processed,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const upload = await transaction
      .selectFrom('uploads')
      .innerJoin('users as owner', 'owner.id', 'owner_id')
      .select(['owner_id', 'owner.is_creator', 'file_name', 'sha256', 'replaces_media_id', 'reason'])
      .where('uploads.id', '=', uploadId)
      .where('status', '=', 'processing')
      .forUpdate('uploads')
      .executeTakeFirst()
    if (!upload) return false
    // A takedown locks its item before its files, so that neither waits for the other for good.
    if (upload.replaces_media_id !== null) await lockFiles(transaction, upload.replaces_media_id)
    if (!(await mayPublish(transaction, upload.sha256))) {
      await failUpload(transaction, uploadId, 'media_blocked', now)
      return false
    }
    const file = { ...contentOf(processed), sha256: upload.sha256, storage_id: uploadId }
    const { replaces_media_id: replacedId, owner_id: ownerId } = upload
    if (replacedId === null) {
      await transaction
        .insertInto('media')
        .values({
          id: uploadId,
          creator_id: ownerId,
          ...file,
          ...flagColumns(NEW_UPLOAD_FLAGS),
          // A fan's file goes to whom they write: what it is called on their device may tell who they are.
          title: upload.is_creator ? firstTitle(upload.file_name) : '',
          created_at: now,
        })
        .execute()
    } else {
      const change = { actorId: ownerId, reason: upload.reason, now }
      const refusal = await replaceFile(transaction, replacedId, file, change)
      if (refusal !== null) {
        await failUpload(transaction, uploadId, refusal, now)
        return false
      }
    }
    await transaction
      .updateTable('uploads')
      .set({ status: 'ready', progress: 100, refusal: null, updated_at: now, finished_at: now })
      .where('id', '=', uploadId)
      .execute()
    // Photos are ready while one looks; a video takes its time. A fan's goes with a message, where it is seen.
    if (processed.type === 'video' && upload.is_creator) {
      const data = { title: firstTitle(upload.file_name), mediaId: replacedId ?? uploadId }
      await notify(transaction, { kind: 'media.ready', person: ownerId, data }, { now })
    }
    return true
  })
}

/** The stored parts of a prepared file. */
function contentOf(processed: Processed) {
  const variants = processed.variants.map(({ path: _, ...stored }) => stored)
  return {
    type: processed.type,
    duration_seconds: processed.durationSeconds,
    width: processed.width,
    height: processed.height,
    damaged: processed.damaged,
    thumbhash: processed.thumbhash,
    variants: JSON.stringify(variants),
    bytes: variants.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/**
 * Gives an item another file as its new version; buyers keep the old one. Not when it was deleted, or taken down: what
 * was is what was judged. Answers why not.
 */
async function replaceFile(
  db: Tx,
  mediaId: string,
  file: ReturnType<typeof contentOf> & { sha256: string | null; storage_id: string },
  { actorId, reason, now }: { actorId: string; reason: string | null; now: Date },
): Promise<'media_not_found' | 'media_taken_down' | null> {
  const item = await lockFiles(db, mediaId)
  if (!item) return 'media_not_found'
  if (item.quarantined_at) return 'media_taken_down'
  await db
    .updateTable('media')
    .set({ ...file, version_id: file.storage_id, versioned_at: now, red_gif: '' })
    .where('id', '=', mediaId)
    .execute()
  await retireVersion(db, { mediaId, versionId: item.version_id, storageId: item.storage_id }, now)
  if (actorId !== item.creator_id) {
    await writeAudit(db, {
      actorId,
      action: 'media.file_replaced',
      targetKind: 'media',
      targetId: mediaId,
      reason: reason ?? '',
      detail: { creatorId: item.creator_id, sha256: file.sha256 },
      now,
    })
  }
  return null
}
