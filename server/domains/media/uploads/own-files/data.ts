import type { Db } from '../../../../db/client.ts'

const filesOf = (db: Db, mediaId: string) =>
  db
    .selectFrom('media')
    .select([
      'creator_id',
      'version_id',
      'storage_id',
      'type',
      'duration_seconds',
      'variants',
      'quarantined_at',
    ])
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)

/** The files of an item, or null when it is not there or deleted. */
export async function findFiles(db: Db, mediaId: string) {
  return (await filesOf(db, mediaId).executeTakeFirst()) ?? null
}

/** The same, held until the transaction ends. */
export async function lockFiles(db: Db, mediaId: string) {
  return (await filesOf(db, mediaId).forUpdate().executeTakeFirst()) ?? null
}

/** The stored video of a video; undefined for pictures and external gifs. */
export function videoOf<Variant extends { name: string }>(variants: Variant[]): Variant | undefined {
  return variants.find(({ name }) => name === 'video.mp4')
}
