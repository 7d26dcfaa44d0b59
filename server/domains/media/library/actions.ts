import { sql } from 'kysely'
import { parseMoney } from '../../../../contract/money.ts'
import type { Flags } from '../../../../contract/visibility.ts'
import type { Db } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import type { Viewer } from '../../../viewer.ts'
import { editRefusal, flagsAfter, type SentFlags } from '../rules.ts'

export type MediaEdit = SentFlags & {
  mediaId: string
  title?: string | undefined
  description?: string | undefined
  /** Money text. */
  price?: string | undefined
}

/**
 * Changes what was sent of an own item; a superadmin may change anybody's. Throws `media_not_found` for another's item,
 * and what `editRefusal` says.
 */
export async function editMedia(
  db: Db,
  viewer: Viewer,
  edit: MediaEdit,
  options: { publishingOpen: boolean },
): Promise<void> {
  const item = await lockEditable(db, viewer, edit.mediaId)
  const before: Flags = {
    showInSearch: item.show_in_search,
    redditPromotion: item.reddit_promotion,
    mustUnlock: item.must_unlock,
    showInStore: item.show_in_store,
    directOnly: item.direct_only,
  }
  const flags = flagsAfter(before, edit)
  const title = edit.title ?? item.title
  const priceCents = edit.price === undefined ? item.price_cents : (parseMoney(edit.price) ?? 0)
  const refusal = editRefusal(
    before,
    { flags, title, priceCents, titleSent: edit.title !== undefined },
    { ownerIsCreator: item.is_creator, publishingOpen: options.publishingOpen },
  )
  if (refusal) throw new AppError(refusal)
  await db
    .updateTable('media')
    .set({
      title,
      description: edit.description ?? item.description,
      price_cents: priceCents,
      show_in_search: flags.showInSearch,
      reddit_promotion: flags.redditPromotion,
      must_unlock: flags.mustUnlock,
      show_in_store: flags.showInStore,
      direct_only: flags.directOnly,
    })
    .where('id', '=', edit.mediaId)
    .execute()
}

/** Takes an own item out of library, feeds and sale; who bought it keeps it. Throws `media_not_found`. */
export async function deleteMedia(db: Db, viewer: Viewer, mediaId: string, now: Date): Promise<void> {
  await lockEditable(db, viewer, mediaId)
  await db.updateTable('media').set({ deleted_at: now }).where('id', '=', mediaId).execute()
}

async function lockEditable(db: Db, viewer: Viewer, mediaId: string) {
  const item = await db
    .selectFrom('media')
    .innerJoin('users', 'users.id', 'media.creator_id')
    .selectAll('media')
    .select('users.is_creator')
    .where('media.id', '=', mediaId)
    .where('media.deleted_at', 'is', null)
    .$if(viewer.role !== 'superadmin', (query) => query.where('media.creator_id', '=', viewer.id))
    .modifyEnd(sql`for update of media`)
    .executeTakeFirst()
  if (!item) throw new AppError('media_not_found')
  return item
}
