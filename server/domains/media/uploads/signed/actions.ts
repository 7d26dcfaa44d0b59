import { addAbortSignal, PassThrough, type Readable } from 'node:stream'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { reserveBytes } from '../actions.ts'
import { sourceKey } from '../rules.ts'
import { findArrived, lockArrived } from './data.ts'
import { wholeRefusal } from './rules.ts'

/** Whole files that come in to this process, by upload. */
const incomingAt = new WeakMap<Context['db'], Map<string, AbortController>>()

/**
 * Stores the whole file in place of one that arrived before; whoever sends it again takes over from a line that may
 * hang, so that one upload never takes the room of several. Of several at different processes the last that began counts.
 * `length` is what the body announces, null when it does not. Throws `upload_not_found`, `upload_already_used`,
 * `upload_too_large`, `unfinished_too_large`, and
 * `upload_offset_wrong` when a part of the file is there already.
 */
export async function receiveWhole(
  context: Context,
  uploadId: string,
  body: Readable,
  length: number | null,
): Promise<void> {
  const { db, storage, clock, config } = context
  const maxBytes = config.MAX_FILE_BYTES
  if (length !== null && length > maxBytes) throw new AppError('upload_too_large')
  const sending = await db.transaction().execute(async (transaction) => {
    const upload = await lockArrived(transaction, uploadId)
    if (!upload) throw new AppError('upload_not_found')
    const refusal = wholeRefusal(upload)
    if (refusal) throw new AppError(refusal)
    const bytes = Math.max(length ?? maxBytes, upload.reservedBytes ?? 0)
    await reserveBytes(transaction, config, { ownerId: upload.ownerId, uploadId, bytes })
    const { sendings } = await transaction
      .updateTable('uploads')
      .set((eb) => ({ sendings: eb('sendings', '+', 1) }))
      .where('id', '=', uploadId)
      .returning('sendings')
      .executeTakeFirstOrThrow()
    return sendings
  })
  const key = sourceKey(uploadId, sending)
  const stored = await storeLatest(context, uploadId, (signal) =>
    storage.put(key, bodyOf(body, signal), { maxBytes }),
  )
  const noted = await noteWhole(db, { uploadId, sending, stored, now: clock.now() })
  if (noted) {
    if (noted.before !== null) await storage.remove(sourceKey(uploadId, noted.before))
    return
  }
  await storage.remove(key)
  throw new AppError((await findArrived(db, uploadId)) ? 'upload_already_used' : 'upload_not_found')
}

async function storeLatest<Stored>(
  { db }: Context,
  uploadId: string,
  store: (signal: AbortSignal) => Promise<Stored>,
): Promise<Stored> {
  const own = new AbortController()
  const incoming = incomingAt.get(db) ?? new Map<string, AbortController>()
  incomingAt.set(db, incoming)
  incoming.get(uploadId)?.abort()
  incoming.set(uploadId, own)
  try {
    return await store(own.signal)
  } catch (error) {
    throw own.signal.aborted ? new AppError('upload_already_used') : error
  } finally {
    if (incoming.get(uploadId) === own) incoming.delete(uploadId)
  }
}

/** The body as a stream of its own: when the store gives up on it, the connection can still carry the answer. */
function bodyOf(stream: Readable, signal: AbortSignal): Readable {
  const body = addAbortSignal(signal, new PassThrough())
  stream.once('close', () => {
    if (!stream.readableEnded) body.destroy(new Error('the sender was interrupted'))
  })
  return stream.pipe(body)
}

type Arrived = { uploadId: string; sending: number; stored: { bytes: number; sha256: string }; now: Date }

/**
 * Notes that the file is in the store, and answers which sending was it before; null when the upload was meanwhile given
 * up, used, started in parts, or started whole once more.
 */
async function noteWhole(
  db: Db,
  { uploadId, sending, stored, now }: Arrived,
): Promise<{ before: number | null } | null> {
  return db.transaction().execute(async (transaction) => {
    const upload = await lockArrived(transaction, uploadId)
    if (!upload || wholeRefusal(upload) || upload.sendings !== sending) return null
    await transaction
      .updateTable('uploads')
      .set({ ...stored, sending, status: 'received', reserved_bytes: stored.bytes, updated_at: now })
      .where('id', '=', uploadId)
      .execute()
    return { before: upload.sending }
  })
}
