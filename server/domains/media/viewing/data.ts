import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { PageRequest } from '../../../db/cursor.ts'
import type { ProfileLink } from '../../../db/tables/profiles.ts'
import { type Onlooker, reachable } from '../../profiles/data.ts'
import { mediaFor, newestFirst, viewable } from '../data.ts'

export type Filters = { mustUnlock?: boolean | undefined; showInSearch?: boolean | undefined }

/** Items that a feed may show: neither deleted nor private, of nobody hidden or out of this person's reach. */
function listed(db: Db, onlooker: Onlooker, now: Date) {
  return mediaFor(db, onlooker, now)
    .where('media.deleted_at', 'is', null)
    .where((eb) => eb.not('media.direct_only'))
    .where('creator.hidden_at', 'is', null)
    .where(reachable(onlooker))
}

/** Everything that is shown in search and free to see, newest first. */
export function listDiscover(db: Db, onlooker: Onlooker, request: { page: PageRequest; now: Date }) {
  const shown = listed(db, onlooker, request.now)
    // Said outright, as a prepared statement's plan can't tell that a parameter fits the partial index.
    .where(sql<boolean>`media.show_in_search`)
    .where((eb) => eb.not('media.must_unlock'))
  return newestFirst(shown, request.page).execute()
}

/** A creator's items, locked ones included, newest first; filters count when sent (core §7). */
export function listProfile(
  db: Db,
  onlooker: Onlooker,
  request: { creatorId: string; filters: Filters; page: PageRequest; now: Date },
) {
  const { mustUnlock, showInSearch } = request.filters
  const shown = listed(db, onlooker, request.now)
    .where('media.creator_id', '=', request.creatorId)
    .$if(mustUnlock !== undefined, (query) => query.where('media.must_unlock', '=', mustUnlock === true))
    .$if(showInSearch !== undefined, (query) =>
      query.where('media.show_in_search', '=', showInSearch === true),
    )
  return newestFirst(shown, request.page).execute()
}

/** The singles that a creator sells, newest first. */
export function listStore(
  db: Db,
  onlooker: Onlooker,
  request: { creatorId: string; page: PageRequest; now: Date },
) {
  const sold = listed(db, onlooker, request.now)
    .where('media.creator_id', '=', request.creatorId)
    .where(sql<boolean>`media.show_in_store`)
  return newestFirst(sold, request.page).execute()
}

/** Whether this bundle is for sale. */
export async function isBundle(db: Db, bundleId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bundles')
    .innerJoin('users', 'users.id', 'bundles.creator_id')
    .select('bundles.id')
    .where('bundles.id', '=', bundleId)
    .where('bundles.deleted_at', 'is', null)
    .where('users.hidden_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** What a bundle holds, in its order; only these ids when there are any. Deleted and private items only for who has them. */
export function listBundle(
  db: Db,
  onlooker: Onlooker,
  request: { bundleId: string; onlyIds: string[]; now: Date },
) {
  const { onlyIds, now } = request
  return mediaFor(db, onlooker, now)
    .innerJoin('bundle_media', 'bundle_media.media_id', 'media.id')
    .where('bundle_media.bundle_id', '=', request.bundleId)
    .where((eb) =>
      eb.or([
        eb.and([eb('media.deleted_at', 'is', null), eb.not('media.direct_only')]),
        viewable(onlooker, now),
      ]),
    )
    .$if(onlyIds.length > 0, (query) => query.where('media.id', 'in', onlyIds))
    .orderBy('bundle_media.position')
    .orderBy('media.id')
    .execute()
}

/** How a creator introduces themselves beside an item. */
export async function findCreator(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.user_id', 'users.id')
    .select(['users.id', 'users.username', 'users.first_name', 'profiles.profile_image'])
    .select(sql<ProfileLink[]>`profiles.links`.as('links'))
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
}
