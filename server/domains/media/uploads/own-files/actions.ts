import { randomUUID } from 'node:crypto'
import { can } from '../../../../../contract/permissions.ts'
import type { Config } from '../../../../config.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import type { StoredVariant } from '../../../../db/tables/media.ts'
import { AppError } from '../../../../errors.ts'
import type { JobPayload } from '../../../../jobs/catalogue.ts'
import { enqueue } from '../../../../jobs/enqueue.ts'
import type { Viewer } from '../../../../viewer.ts'
import { beginPoster, endPoster } from '../../library/actions.ts'
import { startUploads } from '../actions.ts'
import { lockFiles, videoOf } from './data.ts'

/**
 * Starts the upload of another file for an own item, with the permission and a reason for anybody's, and returns its
 * id. Throws `media_not_found`, `reason_required`, `media_taken_down`, `too_many_uploads`, `library_full`.
 */
export async function startReplacement(
  db: Tx,
  config: Config,
  viewer: Viewer,
  file: { mediaId: string; fileName: string; reason?: string | undefined },
  now: Date,
): Promise<string> {
  const item = await lockFiles(db, file.mediaId)
  if (!item || (item.creator_id !== viewer.id && !can(viewer, 'media.editAll')))
    throw new AppError('media_not_found')
  if (item.creator_id !== viewer.id && !file.reason) throw new AppError('reason_required')
  if (item.quarantined_at) throw new AppError('media_taken_down')
  const [uploadId] = await startUploads(db, config, viewer.id, [file.fileName], now, {
    replacesMediaId: file.mediaId,
    reason: file.reason,
  })
  if (!uploadId) throw new Error('no upload was started')
  return uploadId
}

/**
 * Has a job take the frame at `seconds` of an own video as its poster. Throws `media_not_found`, `media_taken_down`,
 * `not_a_video`, `invalid_input`.
 */
export async function choosePoster(
  db: Tx,
  viewer: Viewer,
  frame: { mediaId: string; seconds: number },
  now: Date,
): Promise<void> {
  const item = await lockFiles(db, frame.mediaId)
  if (item?.creator_id !== viewer.id) throw new AppError('media_not_found')
  if (item.quarantined_at) throw new AppError('media_taken_down')
  if (item.type !== 'video' || !videoOf(item.variants)) throw new AppError('not_a_video')
  if (frame.seconds > (item.duration_seconds ?? 0))
    throw new AppError('invalid_input', { details: { seconds: 'The video is shorter than that.' } })
  const label = randomUUID().slice(0, 8)
  await beginPoster(db, { mediaId: frame.mediaId, label })
  await enqueuePoster(db, { person: viewer.id, now }, { ...frame, label })
}

/** The job that makes this frame the poster of its video, in place of one that waits. */
const enqueuePoster = (tx: Tx, turnOf: { person: string; now: Date }, frame: JobPayload<'media.poster'>) =>
  enqueue(tx, 'media.poster', frame, { key: `media.poster:${frame.mediaId}`, turnOf })

/** The same for one that was stopped, unless another frame was asked for meanwhile. */
export async function enqueueAgain(tx: Tx, frame: JobPayload<'media.poster'>, now: Date): Promise<void> {
  const wanted = await tx
    .selectFrom('posters')
    .innerJoin('media', 'media.id', 'posters.media_id')
    .select('media.creator_id')
    .where('media_id', '=', frame.mediaId)
    .where('label', '=', frame.label)
    .forUpdate('posters')
    .executeTakeFirst()
  if (wanted) await enqueuePoster(tx, { person: wanted.creator_id, now }, frame)
}

/**
 * Gives a video its new poster in place of the old one, whose files a job removes. False when the item was deleted or
 * taken down, or its file replaced meanwhile.
 */
export async function swapPoster(
  db: Db,
  mediaId: string,
  poster: { label: string; storageId: string; variants: StoredVariant[]; thumbhash: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const item = await lockFiles(transaction, mediaId)
    if (item?.storage_id !== poster.storageId || item.quarantined_at) return false
    const isOld = ({ mime }: StoredVariant) => mime.startsWith('image/')
    const variants = [...item.variants.filter((variant) => !isOld(variant)), ...poster.variants]
    await transaction
      .updateTable('media')
      .set({
        variants: JSON.stringify(variants),
        thumbhash: poster.thumbhash,
        bytes: variants.reduce((sum, { bytes }) => sum + bytes, 0),
      })
      .where('id', '=', mediaId)
      .execute()
    await endPoster(transaction, { mediaId, label: poster.label }, 'ready')
    const kept = new Set(variants.map(({ name }) => name))
    const names = item.variants.map(({ name }) => name).filter((name) => !kept.has(name))
    await enqueue(transaction, 'media.remove-files', { mediaId, storageId: poster.storageId, names })
    return true
  })
}
