import { sql } from 'kysely'
import { type TakedownGround, takedownReason } from '../../../../contract/takedowns.ts'
import type { Db } from '../../../db/client.ts'

/** Why an item is down, as its creator is told, and whether its file is blocked; null where there is no such item. */
export async function findTakedown(
  db: Db,
  mediaId: string,
): Promise<{ ground: TakedownGround | null; note: string; blockFile: boolean; isDown: boolean } | null> {
  const found = await db
    .selectFrom('media')
    .select((eb) => [
      'quarantine_ground as ground',
      'quarantine_note as note',
      eb('quarantined_at', 'is not', null).$castTo<boolean>().as('isDown'),
      eb
        .exists(eb.selectFrom('blocked_files').select('sha256').whereRef('media_id', '=', 'media.id'))
        .$castTo<boolean>()
        .as('blockFile'),
    ])
    .where('id', '=', mediaId)
    .executeTakeFirst()
  return found ?? null
}

const isCopy = sql<boolean>`(
  copy.sha256 = own.sha256 or copy.red_gif = own.red_gif and copy.red_gif <> ''
)`

/** The copies that operators are shown; those that nobody has taken down come first. */
const SHOWN_COPIES = 20

/** Other items that have or had one of an item's files, by its bytes, or its gifs, and still keep it; each with how many there are. */
export function listCopies(db: Db, mediaId: string) {
  return db
    .selectFrom('media')
    .innerJoin('users', 'users.id', 'creator_id')
    .select(['media.id', 'media.title', 'username'])
    .select((eb) => [
      eb('quarantined_at', 'is not', null).$castTo<boolean>().as('isDown'),
      eb('deleted_at', 'is not', null).$castTo<boolean>().as('isDeleted'),
      sql<number>`(count(*) over ())::int`.as('count'),
    ])
    .where('media.id', '<>', mediaId)
    .where('media.id', 'in', (eb) =>
      eb
        .selectFrom('media_versions as own')
        .innerJoin('media_versions as copy', (join) => join.on(isCopy))
        .select('copy.media_id')
        .where('own.media_id', '=', mediaId)
        .where('copy.purged_at', 'is', null),
    )
    .orderBy('isDown')
    .orderBy('media.id')
    .limit(SHOWN_COPIES)
    .execute()
}

/** Why an own item that was deleted is down, as its creator was told; null for every other item. */
export async function findDeletedTakedown(
  db: Db,
  creatorId: string | null,
  mediaId: string,
): Promise<string | null> {
  const found = await db
    .selectFrom('media')
    .select(['quarantine_ground as ground', 'quarantine_note as note'])
    .where('id', '=', mediaId)
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is not', null)
    .where('quarantined_at', 'is not', null)
    .executeTakeFirst()
  return found ? takedownReason(found.ground, found.note) : null
}
