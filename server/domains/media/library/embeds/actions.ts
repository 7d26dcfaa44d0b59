import { redGifEmbedUrl } from '../../../../../contract/redgif.ts'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { requireTags } from '../actions.ts'

/** Most external gifs are upright; what theirs looks like is not known before somebody plays it, so its blur is grey. */
const SHAPE = { width: 1080, height: 1920, thumbhash: 'IAgCBABYi3iId3t3+JcAAAAAAA==' }

/**
 * Adds an external gif to the person's library and returns its id; locked and shown nowhere, as a new upload is
 * (decisions §10). `duration` in seconds, null when it is not known. Throws `red_gif_unreadable`, `tag_not_found`.
 */
export async function addRedGif(
  db: Tx,
  gif: { creatorId: string; redGif: string; duration: number | null; tagIds: string[]; now: Date },
): Promise<string> {
  const embed = redGifEmbedUrl(gif.redGif)
  if (embed === '') throw new AppError('red_gif_unreadable')
  const { id } = await db
    .insertInto('media')
    .values({
      ...SHAPE,
      creator_id: gif.creatorId,
      type: 'video',
      red_gif: embed,
      duration_seconds: gif.duration === null ? null : Math.floor(gif.duration),
      variants: '[]',
      bytes: 0,
      tag_ids: await requireTags(db, gif.tagIds),
      created_at: gif.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
