import { MAX_MEDIA_SELECTED } from '../../../contract/constants.ts'
import type { Db, Tx } from '../../db/client.ts'
import { AppError } from '../../errors.ts'

/** What a creator may put into what they sell; anything else that it holds stays where it is, for when it comes back. */
export function offered(db: Db, creatorId: string) {
  return db
    .selectFrom('media')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .where('quarantined_at', 'is', null)
    .where((eb) => eb.not('direct_only'))
}

/** What is put into something that is sold, and what is taken out. */
export type HeldChange = { editorId: string; add: string[]; remove: string[] }

/** Refuses what would hold more than can be edited together. */
export function requireRoom(held: number): void {
  if (held > MAX_MEDIA_SELECTED)
    throw new AppError('invalid_input', {
      details: { mediaIds: `It can hold at most ${MAX_MEDIA_SELECTED} items.` },
    })
}

/**
 * The same items without repetitions, in their order, once all of them are the creator's own, not deleted and not
 * private, and held so until the end; else throws `invalid_input` naming `mediaIds`.
 */
export async function requireOwnMedia(db: Tx, creatorId: string, mediaIds: string[]): Promise<string[]> {
  const distinct = [...new Set(mediaIds)]
  if (distinct.length === 0) return distinct
  const own = await offered(db, creatorId).where('id', 'in', distinct).orderBy('id').forShare().execute()
  if (own.length === distinct.length) return distinct
  throw new AppError('invalid_input', {
    details: {
      mediaIds: 'Some of these items were deleted or made private. Reload the page and choose again.',
    },
  })
}
