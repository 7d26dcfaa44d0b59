import type { Readable } from 'node:stream'
import type { Context } from '../../../../../context.ts'
import type { Db, Tx } from '../../../../../db/client.ts'
import { AppError } from '../../../../../errors.ts'
import { cutBody } from '../../../../../streams/body-parts.ts'
import { reserveBytes } from '../../actions.ts'
import { CHUNKS_KEPT_SECONDS, chunkKey, later } from '../../rules.ts'
import { findArrived, lockArrived } from '../data.ts'
import { type ByteRange, MOST_PARTS, PART_BYTES, PARTS_AHEAD, rangeRefusal } from '../rules.ts'

/** How much of an upload is there; `complete` once all of it is. */
type Arrived = { bytes: number; complete: boolean }

/** Says how much arrived of a file of `total` bytes. Throws `upload_not_found`, `upload_size_differs`. */
export async function askArrived(db: Db, uploadId: string, total: number): Promise<Arrived> {
  const upload = await findArrived(db, uploadId)
  if (!upload) throw new AppError('upload_not_found')
  const { status, arrivedBytes, reservedBytes } = upload
  if (arrivedBytes > 0 && reservedBytes !== total) throw new AppError('upload_size_differs')
  return { bytes: arrivedBytes, complete: status !== 'awaiting' }
}

/**
 * Stores a range of a file that goes on exactly where it stopped, part by part, so that what came before a break
 * stays. While parts are forced to disk a few more come in. Of several who send at the same time the first to have a
 * part stored goes on. Throws `upload_too_large`, `upload_not_found`, `unfinished_too_large`,
 * `upload_in_pieces`, `content_range_invalid` for a body longer than its range, and what `rangeRefusal` says.
 */
export async function receiveRange(
  context: Context,
  uploadId: string,
  range: ByteRange,
  stream: Readable,
): Promise<Arrived> {
  if (range.total > context.config.MAX_FILE_BYTES) throw new AppError('upload_too_large')
  await begin(context, uploadId, range)
  const body = cutBody(stream, { bytes: range.end - range.start + 1, partBytes: PART_BYTES })
  const stored = [Promise.resolve(range.start)]
  try {
    for (let part = await body.next(); part; part = await body.next()) {
      const start = range.start + (stored.length - 1) * PART_BYTES
      const before = stored.at(-1)
      const storing = storePart(context, uploadId, { start, total: range.total, bytes: part.bytes }, before)
      // Awaited below, but it may have failed before that.
      storing.catch(() => {})
      stored.push(storing)
      await Promise.race([part.read, storing])
      await stored.at(-PARTS_AHEAD)
    }
    const bytes = (await stored.at(-1)) ?? range.start
    if (await body.goesOn()) throw new AppError('content_range_invalid')
    return { bytes, complete: bytes === range.total }
  } finally {
    body.end()
    await Promise.allSettled(stored)
  }
}

/** Makes sure that the range may come and sets aside room for its file. */
async function begin({ db, config }: Context, uploadId: string, range: ByteRange): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const upload = await requireNext(transaction, uploadId, range)
    if (upload.arrivedBytes > 0) return
    await reserveBytes(transaction, config, { ownerId: upload.ownerId, uploadId, bytes: range.total })
  })
}

/** Holds an upload that stopped exactly where this begins. Throws `upload_not_found` and what `rangeRefusal` says. */
async function requireNext(db: Tx, uploadId: string, piece: { start: number; total: number }) {
  const upload = await lockArrived(db, uploadId)
  if (!upload) throw new AppError('upload_not_found')
  const refusal = rangeRefusal(upload, piece)
  if (refusal) throw new AppError(refusal)
  return upload
}

type Part = { start: number; total: number; bytes: Readable }

/** Stores one part and counts it after the one before it; returns where the upload stops then. */
async function storePart(
  context: Context,
  uploadId: string,
  part: Part,
  before: Promise<unknown> | undefined,
): Promise<number> {
  const { db, storage, clock } = context
  const number = await db.transaction().execute((tx) => numberPart(tx, uploadId))
  const key = chunkKey(uploadId, number)
  try {
    const { bytes } = await storage.put(key, part.bytes, { maxBytes: PART_BYTES })
    await before
    return await countPart(db, uploadId, { ...part, number, bytes }, clock.now())
  } catch (error) {
    await storage.remove(key)
    throw error
  }
}

/** A number that no other part of the upload has, so that nobody writes to what is stored. */
async function numberPart(db: Tx, uploadId: string): Promise<number> {
  const row = await db
    .updateTable('uploads')
    .set((eb) => ({ parts_begun: eb('parts_begun', '+', 1) }))
    .where('id', '=', uploadId)
    .returning('parts_begun')
    .executeTakeFirst()
  if (!row) throw new AppError('upload_not_found')
  if (row.parts_begun > MOST_PARTS) throw new AppError('upload_in_pieces')
  return row.parts_begun
}

async function countPart(
  db: Db,
  uploadId: string,
  part: { start: number; total: number; number: number; bytes: number },
  now: Date,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await requireNext(transaction, uploadId, part)
    const arrived = part.start + part.bytes
    await transaction
      .insertInto('upload_chunks')
      .values({ upload_id: uploadId, number: part.number, bytes: part.bytes })
      .execute()
    await transaction
      .updateTable('uploads')
      .set({
        status: arrived === part.total ? 'received' : 'awaiting',
        reserved_bytes: part.total,
        updated_at: now,
        expires_at: later(now, CHUNKS_KEPT_SECONDS),
      })
      .where('id', '=', uploadId)
      .execute()
    return arrived
  })
}
