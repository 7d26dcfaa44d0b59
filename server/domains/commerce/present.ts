import type { z } from 'zod'
import type { Showing } from '../../../contract/routes/commerce/subscriptions.ts'
import type { FeedMedia } from '../../../contract/routes/media/viewing.ts'
/** A person beside a sale, for whom the money record stays when they are gone (docs/product.md, Deleting an account). */
export function presentPerson(
  id: string,
  username: string,
  hiddenAt: Date | null,
): { _id: string; username: string } {
  return { _id: id, username: hiddenAt ? 'Deleted User' : username }
}

/** What can be shown as a cover, by the item's id. */
export type Covers = ReadonlyMap<string, z.output<typeof FeedMedia>>

/** How something that is sold is shown; a cover that the viewer may not know of is none. */
export function presentShowing(
  row: { description: string; cover_media_id: string | null; retired_at: Date | null; deletable: boolean },
  covers: Covers,
): z.output<typeof Showing> {
  const cover = row.cover_media_id === null ? null : (covers.get(row.cover_media_id) ?? null)
  return { description: row.description, cover, retired: row.retired_at !== null, deletable: row.deletable }
}
