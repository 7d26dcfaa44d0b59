import { errors } from '../../../../contract/errors.ts'
import type { Config } from '../../../config.ts'
import type { Db, Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { MediaRefusal } from '../../../ports/video/port.ts'
import { notify } from '../../notifications/actions.ts'
import { findMediaBytes, findUnfinished, listUploads } from './data.ts'
import { KEPT_SECONDS, later, MAX_UNFINISHED, PROCESSED_WITHIN_SECONDS, roomRefusal } from './rules.ts'
import { enqueueProcessing, lockUploadsOf, takeTurns } from './turns/actions.ts'
import { LINES, lineOf, seemsMoving } from './turns/rules.ts'

/**
 * Makes sure that this person may start so many more uploads, until the transaction ends also for those who ask at the
 * same time. Throws `too_many_uploads`, and what `roomRefusal` says.
 */
export async function reserveUploads(
  db: Tx,
  config: Pick<Config, 'MAX_LIBRARY_BYTES'>,
  ownerId: string,
  count: number,
): Promise<void> {
  await lockUploadsOf(db, ownerId)
  const refusal = roomRefusal(await findMediaBytes(db, ownerId), config.MAX_LIBRARY_BYTES)
  if (refusal) throw new AppError(refusal)
  const unfinished = await findUnfinished(db, ownerId)
  if (unfinished.uploads + count > MAX_UNFINISHED) throw new AppError('too_many_uploads')
}

/**
 * Sets aside room for an upload that takes up so many bytes at most, in place of what was set aside for it before.
 * Throws `unfinished_too_large` when all unfinished uploads of the person would take up more than there is for them.
 */
export async function reserveBytes(
  db: Tx,
  config: Config,
  upload: { ownerId: string; uploadId: string; bytes: number },
): Promise<void> {
  const { ownerId, uploadId, bytes } = upload
  await lockUploadsOf(db, ownerId)
  const others = await findUnfinished(db, ownerId, uploadId)
  if (others.bytes + bytes > config.MAX_UNFINISHED_BYTES) throw new AppError('unfinished_too_large')
  await db.updateTable('uploads').set({ reserved_bytes: bytes }).where('id', '=', uploadId).execute()
}

/**
 * Makes an upload for every file name and returns their ids, which will be the media's unless they replace the file of
 * an item; throws `too_many_uploads`, and what `roomRefusal` says.
 */
export async function startUploads(
  db: Tx,
  config: Config,
  ownerId: string,
  fileNames: string[],
  now: Date,
  options: { replacesMediaId?: string; reason?: string | undefined } = {},
): Promise<string[]> {
  await reserveUploads(db, config, ownerId, fileNames.length)
  const rows = await db
    .insertInto('uploads')
    .values(
      fileNames.map((file_name) => ({
        owner_id: ownerId,
        file_name,
        status: 'awaiting' as const,
        replaces_media_id: options.replacesMediaId ?? null,
        reason: options.reason ?? null,
        created_at: now,
        updated_at: now,
        expires_at: later(now, KEPT_SECONDS),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Starts the preparing of own uploads whose bytes arrived, each once, however often and however parallel it is said.
 * Throws `upload_not_found` when one of them is not the owner's; then none is started.
 */
export async function processUploads(db: Tx, ownerId: string, uploadIds: string[], now: Date): Promise<void> {
  const wanted = [...new Set(uploadIds)]
  const own = await listUploads(db, ownerId, wanted, wanted.length)
  if (own.length < wanted.length) throw new AppError('upload_not_found')
  const started = await db
    .updateTable('uploads')
    .set({
      status: 'processing',
      progress: 0,
      updated_at: now,
      expires_at: later(now, PROCESSED_WITHIN_SECONDS),
    })
    .where('id', 'in', wanted)
    .where('status', '=', 'received')
    .returning(['id', 'file_name', 'bytes', 'reserved_bytes'])
    .execute()
  const inOrder = started.toSorted((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id))
  for (const line of LINES) {
    const ids = inOrder
      .filter((upload) => lineOf(upload, seemsMoving(upload.file_name)) === line)
      .map(({ id }) => id)
    if (ids.length > 0) await takeTurns(db, ownerId, ids, line)
  }
}

/** Gives up an own upload that is not ready; a job removes its bytes. Throws `upload_not_found`, `upload_already_used`. */
export async function cancelUpload(db: Tx, ownerId: string, uploadId: string): Promise<void> {
  const row = await db
    .selectFrom('uploads')
    .select('status')
    .where('id', '=', uploadId)
    .where('owner_id', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('upload_not_found')
  if (row.status === 'ready') throw new AppError('upload_already_used')
  await db.deleteFrom('uploads').where('id', '=', uploadId).execute()
  await enqueueProcessing(db, uploadId)
}

/** Gives up at most `limit` uploads that are past their time and returns how many there were. */
export async function discardExpired(db: Db, now: Date, limit: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const expired = await transaction
      .selectFrom('uploads')
      .select('id')
      .where('status', '<>', 'ready')
      .where('expires_at', '<', now)
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    const ids = expired.map(({ id }) => id)
    if (ids.length > 0) await transaction.deleteFrom('uploads').where('id', 'in', ids).execute()
    for (const id of ids) await enqueueProcessing(transaction, id)
    return ids.length
  })
}

/** Notes how far an upload is prepared, in percent; nothing once it is decided. */
export async function noteProgress(db: Tx, uploadId: string, progress: number, now: Date): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ progress, updated_at: now })
    .where('id', '=', uploadId)
    .where('status', '=', 'processing')
    .execute()
}

/** Marks the upload as refused, with the reason that its owner sees, and a creator is told. */
export async function failUpload(
  db: Tx,
  uploadId: string,
  refusal: MediaRefusal | 'media_not_found' | 'media_not_prepared' | 'media_blocked' | 'media_taken_down',
  now: Date,
): Promise<void> {
  const failed = await db
    .updateTable('uploads')
    .set({ status: 'failed', refusal, updated_at: now, expires_at: later(now, KEPT_SECONDS) })
    .from('users as owner')
    .whereRef('owner.id', '=', 'uploads.owner_id')
    .where('uploads.id', '=', uploadId)
    .where('uploads.status', '=', 'processing')
    .returning(['uploads.owner_id', 'uploads.file_name', 'owner.is_creator'])
    .executeTakeFirst()
  // A fan's file goes with a message, where it is seen.
  if (!failed?.is_creator || refusal === 'media_not_found') return
  const data = { title: failed.file_name, reason: errors[refusal].text }
  await notify(db, { kind: 'media.failed', person: failed.owner_id, data }, { now })
}
