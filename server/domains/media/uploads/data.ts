import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Another own item that is there with the same bytes: not what the upload became, nor what it replaces. */
const duplicateOf = sql<string | null>`(
  select media.id from media
  where media.creator_id = uploads.owner_id and media.sha256 = uploads.sha256 and media.sha256 is not null
    and media.deleted_at is null and media.id <> coalesce(uploads.replaces_media_id, uploads.id)
  limit 1
)`

/** Whether the file that the upload became was broken in part. */
const damaged = sql<boolean>`coalesce((
  select media.damaged from media
  where uploads.status = 'ready' and media.id = coalesce(uploads.replaces_media_id, uploads.id)
    and media.storage_id = uploads.id
), false)`

const arrivedChunks = sql<number>`(
  select count(*) from upload_chunks where upload_chunks.upload_id = uploads.id and uploads.status = 'awaiting'
)`

const arrivedBytes = sql<number>`(
  select coalesce(sum(upload_chunks.bytes), 0)::bigint from upload_chunks
  where upload_chunks.upload_id = uploads.id and uploads.status = 'awaiting'
)`

/** Own uploads with everything that `presentUpload` needs, in one query. */
export function ownUploads(db: Db, ownerId: string) {
  return db
    .selectFrom('uploads')
    .select(['id', 'file_name', 'status', 'progress', 'refusal', 'kind', 'total_chunks', 'replaces_media_id'])
    .select('reserved_bytes')
    .select([
      damaged.as('damaged'),
      duplicateOf.as('duplicate_of'),
      arrivedChunks.as('arrived_chunks'),
      arrivedBytes.as('arrived_bytes'),
    ])
    .where('owner_id', '=', ownerId)
}

/** The upload by its id, or null. */
export async function findUpload(db: Db, uploadId: string) {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', uploadId).executeTakeFirst()
  return row ?? null
}

/** Own uploads of these ids, in the order in which they were started; without ids the newest that are not ready. */
export async function listUploads(db: Db, ownerId: string, uploadIds: string[], limit: number) {
  const own = ownUploads(db, ownerId)
  if (uploadIds.length > 0)
    return own.where('id', '=', sql<string>`any(${uploadIds}::uuid[])`).orderBy('id').execute()
  const newest = await own.where('status', '<>', 'ready').orderBy('id', 'desc').limit(limit).execute()
  return newest.toReversed()
}

/** How many uploads this person has that are neither ready nor refused, but this one, and the room set aside for them. */
export async function findUnfinished(
  db: Db,
  ownerId: string,
  exceptId: string | null = null,
): Promise<{ uploads: number; bytes: number }> {
  return db
    .selectFrom('uploads')
    .select([
      sql<number>`count(*)`.as('uploads'),
      sql<number>`coalesce(sum(reserved_bytes), 0)::bigint`.as('bytes'),
    ])
    .where('owner_id', '=', ownerId)
    .where('status', 'in', ['awaiting', 'received', 'processing'])
    .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
    .executeTakeFirstOrThrow()
}

/**
 * Bytes that a person's finished media take up: their library, deleted items and replaced files that are still kept.
 * Deleted items have an index of their own.
 */
export async function findMediaBytes(db: Db, ownerId: string): Promise<{ library: number; kept: number }> {
  const { rows } = await sql<{ library: number; kept: number }>`
    with mine as (
      select id, bytes, bytes as listed from media where creator_id = ${ownerId} and deleted_at is null
      union all
      select id, bytes, 0 from media where creator_id = ${ownerId} and deleted_at is not null and purged_at is null
    ), replaced as (
      select version.bytes from media_versions as version join mine on mine.id = version.media_id
      where version.replaced_at is not null and version.purged_at is null
    )
    select coalesce(sum(listed), 0)::bigint as library,
      (coalesce(sum(bytes), 0) + (select coalesce(sum(bytes), 0) from replaced))::bigint as kept
    from mine`.execute(db)
  return rows[0] ?? { library: 0, kept: 0 }
}

/** Of these contents (SHA-256 in hexadecimal) those in the person's own library, each with one item. */
export async function findDuplicates(db: Db, ownerId: string, hashes: string[]) {
  return db
    .selectFrom('media')
    .select(['id', 'title', (eb) => eb.ref('sha256').$notNull().as('hash')])
    .distinctOn('sha256')
    .where('creator_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('sha256', 'is not', null)
    .where('sha256', '=', sql<string>`any(${hashes}::text[])`)
    .orderBy('sha256')
    .orderBy('id', 'desc')
    .execute()
}
