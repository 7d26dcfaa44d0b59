import type { Db } from '../../../db/client.ts'
import type { PageRequest } from '../../../db/cursor.ts'
import type { Viewer } from '../../../viewer.ts'
import { mediaFor, newestFirst } from '../data.ts'

/** Everything of the person's own that is not deleted, newest first. */
export function listLibrary(db: Db, viewer: Viewer, request: { page: PageRequest; now: Date }) {
  const own = mediaFor(db, viewer, request.now)
    .where('media.creator_id', '=', viewer.id)
    .where('media.deleted_at', 'is', null)
  return newestFirst(own, request.page).execute()
}

/** Of the own library what a subscription or bundle may hold: private items are only ever sent in a chat. */
export function listChoices(
  db: Db,
  viewer: Viewer,
  request: { onlyIds: string[] | null; page: PageRequest; now: Date },
) {
  const { onlyIds } = request
  const choices = mediaFor(db, viewer, request.now)
    .where('media.creator_id', '=', viewer.id)
    .where('media.deleted_at', 'is', null)
    .where((eb) => eb.not('media.direct_only'))
    .$if(onlyIds !== null, (query) =>
      query.where((eb) => eb('media.id', '=', eb.fn.any(eb.val(onlyIds ?? [])))),
    )
  return newestFirst(choices, request.page).execute()
}
