import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { CHUNK_BYTES } from '../../../../../contract/constants.ts'
import type { Context } from '../../../../context.ts'
import type { Db, Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import type { Viewer } from '../../../../viewer.ts'
import { reserveBytes, reserveUploads } from '../actions.ts'
import { CHUNKS_KEPT_SECONDS, chunkKey, later, PROCESSED_WITHIN_SECONDS } from '../rules.ts'
import { takeTurns } from '../turns/actions.ts'
import { lineOf, seemsMoving } from '../turns/rules.ts'
import { findForChunk, findOpen, findRepeated } from './data.ts'
import { chunkRefusal } from './rules.ts'

const HOUR_SECONDS = 3600

export type Chunk = {
  /** Of the file. */
  name: string
  /** Zero-based. */
  number: number
  total: number
  bytes: Buffer
  /** Null: chunks belong together by session and name. */
  uploadId: string | null
}

/**
 * Takes one chunk and returns the id of its upload, which the first chunk starts and the last missing one sends off to
 * be prepared. One that comes twice counts once; as long as others are missing, the last that came whole is kept.
 * Throws what `chunkRefusal` says, `upload_not_found`, `chunks_mismatch`, `too_many_uploads`,
 * `unfinished_too_large`, `library_full`.
 */
export async function receiveChunk(context: Context, viewer: Viewer, chunk: Chunk): Promise<string> {
  const { db, storage, clock, config } = context
  const refusal = chunkRefusal({ ...chunk, size: chunk.bytes.length }, config.MAX_FILE_BYTES)
  if (refusal) throw new AppError(refusal)
  const sha256 = createHash('sha256').update(chunk.bytes).digest('hex')
  const upload = chunk.uploadId
    ? await findForChunk(db, viewer.id, chunk.uploadId)
    : await joinOrStart(context, viewer, { ...chunk, sha256 }, clock.now())
  if (!upload) throw new AppError('upload_not_found')
  if (upload.total_chunks !== chunk.total || upload.file_name !== chunk.name)
    throw new AppError('chunks_mismatch')
  if (upload.status !== 'awaiting') return upload.id
  const key = chunkKey(upload.id, chunk.number)
  await storage.put(key, Readable.from([chunk.bytes]), { maxBytes: CHUNK_BYTES })
  const status = await countChunk(db, upload.id, { ...chunk, sha256 }, clock.now())
  // Decided while the bytes came in: the job may have cleared away before they were there.
  if (status !== 'awaiting' && status !== 'processing') await storage.remove(key)
  if (status === null) throw new AppError('upload_not_found')
  return upload.id
}

type Named = Chunk & { sha256: string }

/** The upload that chunks of this session and name belong to; the database decides which of several first ones starts it. */
async function joinOrStart(context: Context, viewer: Viewer, chunk: Named, now: Date) {
  const { db } = context
  const session = { sessionId: viewer.sessionId, ownerId: viewer.id }
  for (;;) {
    const known =
      (await findOpen(db, viewer.sessionId, chunk.name)) ??
      (await findRepeated(db, { ...chunk, ...session }, now)) ??
      (await start(context, session, chunk, now))
    if (known) return known
  }
}

/** Null when another chunk of the same name started it just now. */
async function start(
  { db, config }: Context,
  { sessionId, ownerId }: { sessionId: string; ownerId: string },
  chunk: Chunk,
  now: Date,
) {
  return db.transaction().execute(async (transaction) => {
    await reserveUploads(transaction, config, ownerId, 1)
    const row = await transaction
      .insertInto('uploads')
      .values({
        owner_id: ownerId,
        file_name: chunk.name,
        status: 'awaiting',
        kind: 'chunked',
        session_id: sessionId,
        total_chunks: chunk.total,
        created_at: now,
        updated_at: now,
        expires_at: later(now, CHUNKS_KEPT_SECONDS),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'file_name', 'status', 'total_chunks'])
      .executeTakeFirst()
    if (!row) return null
    const bytes = chunk.total * CHUNK_BYTES
    await reserveBytes(transaction, config, { ownerId, uploadId: row.id, bytes })
    return row
  })
}

/**
 * Notes that a chunk is in the store and returns the status of its upload, null when it was given up. The upload's lock
 * lets exactly one chunk be the last missing one: it starts the preparing, together with the job for it.
 */
async function countChunk(db: Db, uploadId: string, chunk: Named, now: Date) {
  return db.transaction().execute(async (transaction) => {
    const upload = await transaction
      .selectFrom('uploads')
      .select(['owner_id', 'status', 'total_chunks', 'expires_at'])
      .where('id', '=', uploadId)
      .forUpdate()
      .executeTakeFirst()
    if (upload?.status !== 'awaiting') return upload?.status ?? null
    await transaction
      .insertInto('upload_chunks')
      .values({ upload_id: uploadId, number: chunk.number, bytes: chunk.bytes.length })
      .onConflict((conflict) => conflict.columns(['upload_id', 'number']).doNothing())
      .execute()
    const { count } = await transaction
      .selectFrom('upload_chunks')
      .select(sql<number>`count(*)`.as('count'))
      .where('upload_id', '=', uploadId)
      .executeTakeFirstOrThrow()
    if (count === upload.total_chunks)
      return complete(transaction, { uploadId, ownerId: upload.owner_id }, chunk, now)
    const expiry = later(now, CHUNKS_KEPT_SECONDS)
    if (upload.expires_at < later(expiry, -HOUR_SECONDS))
      await transaction
        .updateTable('uploads')
        .set({ expires_at: expiry, updated_at: now })
        .where('id', '=', uploadId)
        .execute()
    return 'awaiting'
  })
}

async function complete(
  db: Tx,
  { uploadId, ownerId }: { uploadId: string; ownerId: string },
  chunk: Named,
  now: Date,
): Promise<'processing'> {
  await db
    .updateTable('uploads')
    .set({
      status: 'processing',
      progress: 0,
      sha256: chunk.total === 1 ? chunk.sha256 : null,
      updated_at: now,
      expires_at: later(now, PROCESSED_WITHIN_SECONDS),
    })
    .where('id', '=', uploadId)
    .execute()
  const file = { bytes: null, reserved_bytes: chunk.total * CHUNK_BYTES }
  await takeTurns(db, ownerId, [uploadId], lineOf(file, seemsMoving(chunk.name)))
  return 'processing'
}

/** Notes what the chunks came to, once they are put together. */
export async function noteAssembled(
  db: Db,
  uploadId: string,
  stored: { bytes: number; sha256: string },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable('uploads').set(stored).where('id', '=', uploadId).execute()
    await transaction.deleteFrom('upload_chunks').where('upload_id', '=', uploadId).execute()
  })
}
