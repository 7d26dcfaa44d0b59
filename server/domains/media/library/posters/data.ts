import type { Db } from '../../../../db/client.ts'

/**
 * How far the frame is that was last asked for as the poster of this person's own item; `status` null when none ever
 * was. Null when the item is not theirs or deleted.
 */
export async function findPoster(db: Db, ownerId: string, mediaId: string) {
  const poster = await db
    .selectFrom('media')
    .leftJoin('posters', 'posters.media_id', 'media.id')
    .select('posters.status')
    .where('media.id', '=', mediaId)
    .where('media.creator_id', '=', ownerId)
    .where('media.deleted_at', 'is', null)
    .executeTakeFirst()
  return poster ?? null
}
