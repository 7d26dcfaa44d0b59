import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'
import { ownUploads } from '../data.ts'
import { later } from '../rules.ts'
import { REPEATED_SECONDS } from './rules.ts'

/** An own upload in chunks with the numbers of those that arrived, or null. Put together it lists none. */
export async function findChunkedUpload(db: Db, ownerId: string, uploadId: string) {
  const row = await ownUploads(db, ownerId)
    .select(
      sql<number[]>`array(select number from upload_chunks where upload_id = uploads.id order by number)`.as(
        'chunks',
      ),
    )
    .select((eb) => eb.ref('total_chunks').$notNull().as('total'))
    .where('id', '=', uploadId)
    .where('kind', '=', 'chunked')
    .executeTakeFirst()
  return row ?? null
}

const CHUNKED = ['id', 'file_name', 'status', 'total_chunks'] as const

/** What a chunk needs to know of its upload. Null when this person has no such upload in chunks. */
export async function findForChunk(db: Db, ownerId: string, uploadId: string) {
  const row = await db
    .selectFrom('uploads')
    .select(CHUNKED)
    .where('id', '=', uploadId)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'chunked')
    .executeTakeFirst()
  return row ?? null
}

/** The upload of this name that waits for chunks of the session, or null. */
export async function findOpen(db: Db, sessionId: string, fileName: string) {
  const row = await db
    .selectFrom('uploads')
    .select(CHUNKED)
    .where('session_id', '=', sessionId)
    .where('file_name', '=', fileName)
    .where(sql<boolean>`kind = 'chunked' and status = 'awaiting'`)
    .executeTakeFirst()
  return row ?? null
}

/**
 * The upload that this chunk, which names none, repeats a chunk of: it is complete since a short while, of the same
 * session, name and count. A first chunk may be the beginning of another file, so its content must be the same too,
 * which is known of a file of one chunk.
 */
export async function findRepeated(
  db: Db,
  chunk: { sessionId: string; ownerId: string; name: string; number: number; total: number; sha256: string },
  now: Date,
) {
  if (chunk.number === 0 && chunk.total > 1) return null
  const row = await db
    .selectFrom('uploads')
    .select(CHUNKED)
    .where('owner_id', '=', chunk.ownerId)
    .where('session_id', '=', chunk.sessionId)
    .where('file_name', '=', chunk.name)
    .where('total_chunks', '=', chunk.total)
    .where('status', 'in', ['processing', 'ready'])
    .where('updated_at', '>', later(now, -REPEATED_SECONDS))
    .$if(chunk.total === 1, (query) => query.where('sha256', '=', chunk.sha256))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The chunks of an upload, in order. */
export async function listChunks(db: Db, uploadId: string): Promise<{ number: number; bytes: number }[]> {
  return db
    .selectFrom('upload_chunks')
    .select(['number', 'bytes'])
    .where('upload_id', '=', uploadId)
    .orderBy('number')
    .execute()
}
