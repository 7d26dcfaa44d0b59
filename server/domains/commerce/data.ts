import type { Db } from '../../db/client.ts'
import { AppError } from '../../errors.ts'

/**
 * The same items without repetitions, in their order, once all of them are the creator's own and not deleted; else
 * throws `invalid_input` naming `mediaIds`.
 */
export async function requireOwnMedia(db: Db, creatorId: string, mediaIds: string[]): Promise<string[]> {
  const distinct = [...new Set(mediaIds)]
  if (distinct.length === 0) return distinct
  const { own } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('own'))
    .where('creator_id', '=', creatorId)
    .where('id', 'in', distinct)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (own === distinct.length) return distinct
  throw new AppError('invalid_input', {
    details: { mediaIds: 'Some of these items are not in your library. Please choose again.' },
  })
}
