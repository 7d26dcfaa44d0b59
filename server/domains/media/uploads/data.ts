import type { Db } from '../../../db/client.ts'

const STATE = ['id', 'file_name', 'status', 'progress', 'refusal'] as const

/** The upload by its id, or null. */
export async function findUpload(db: Db, uploadId: string) {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', uploadId).executeTakeFirst()
  return row ?? null
}

/** Own uploads of these ids, in the order in which they were started; without ids the newest that are not ready. */
export async function listUploads(db: Db, ownerId: string, uploadIds: string[], limit: number) {
  const own = db.selectFrom('uploads').select(STATE).where('owner_id', '=', ownerId)
  if (uploadIds.length > 0) return own.where('id', 'in', uploadIds).orderBy('id').execute()
  const newest = await own.where('status', '<>', 'ready').orderBy('id', 'desc').limit(limit).execute()
  return newest.toReversed()
}

/** How many uploads this person has that are neither ready nor refused. */
export async function countUnfinished(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('status', 'in', ['awaiting', 'received', 'processing'])
    .executeTakeFirstOrThrow()
  return count
}

/** Whether the upload has become a media item. */
export async function isMedia(db: Db, uploadId: string): Promise<boolean> {
  return (
    (await db.selectFrom('media').select('id').where('id', '=', uploadId).executeTakeFirst()) !== undefined
  )
}
