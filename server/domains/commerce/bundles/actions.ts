import { sql } from 'kysely'
import type { Tx } from '../../../db/client.ts'
import { AppError } from '../../../errors.ts'
import { changeHeld } from '../actions.ts'
import {
  type HeldChange,
  offered,
  requireOwnMedia,
  type ShowingChange,
  showingColumns,
  wasSold,
} from '../data.ts'
import { editRefusal } from '../rules.ts'

/** Puts an empty bundle on sale; returns its id. It can be bought once it holds something. */
export async function createBundle(
  db: Tx,
  bundle: { creatorId: string; title: string; priceCents: number; lessOwned: boolean; now: Date },
): Promise<string> {
  const { id } = await db
    .insertInto('bundles')
    .values({
      creator_id: bundle.creatorId,
      title: bundle.title,
      price_cents: bundle.priceCents,
      less_owned: bundle.lessOwned,
      created_at: bundle.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Changes what is sold from now on, but for what is undefined; who bought it keeps what it held then. Throws
 * `item_not_found`, `not_owner`, or `invalid_input` naming `mediaIds` or `coverMediaId`.
 */
export async function editBundle(
  db: Tx,
  edit: ShowingChange & {
    bundleId: string
    editorId: string
    title?: string | undefined
    priceCents?: number | undefined
    lessOwned?: boolean | undefined
    mediaIds?: string[] | undefined
  },
): Promise<void> {
  const before = await lockBundle(db, edit.bundleId, edit.editorId)
  const mediaIds = edit.mediaIds && (await requireOwnMedia(db, edit.editorId, edit.mediaIds))
  await db
    .updateTable('bundles')
    .set({
      title: edit.title ?? before.title,
      price_cents: edit.priceCents ?? before.price_cents,
      less_owned: edit.lessOwned ?? before.less_owned,
      ...(await showingColumns(db, edit.editorId, edit)),
    })
    .where('id', '=', edit.bundleId)
    .execute()
  if (!mediaIds) return
  await db
    .deleteFrom('bundle_media')
    .where('bundle_id', '=', edit.bundleId)
    .where('media_id', 'in', offered(db, edit.editorId))
    .execute()
  if (mediaIds.length === 0) return
  await db
    .insertInto('bundle_media')
    .values(mediaIds.map((media_id, position) => ({ bundle_id: edit.bundleId, media_id, position })))
    .execute()
}

async function lockBundle(db: Tx, bundleId: string, editorId: string) {
  const bundle = await db
    .selectFrom('bundles')
    .select(['creator_id', 'title', 'price_cents', 'less_owned'])
    .where('id', '=', bundleId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const refused = editRefusal(bundle, editorId)
  if (refused || !bundle) throw new AppError(refused ?? 'item_not_found')
  return bundle
}

/** Puts items in and takes others out, as `changeHeld` does. Throws `item_not_found`, `not_owner`, or `invalid_input`. */
export async function editBundleMedia(db: Tx, bundleId: string, change: HeldChange) {
  await lockBundle(db, bundleId, change.editorId)
  return changeHeld(db, 'bundle', bundleId, change)
}

/** Stops selling a bundle from this moment, or with null sells it again. Throws `item_not_found`, `not_owner`. */
export async function retireBundle(db: Tx, bundleId: string, editorId: string, retiredAt: Date | null) {
  await lockBundle(db, bundleId, editorId)
  await db.updateTable('bundles').set({ retired_at: retiredAt }).where('id', '=', bundleId).execute()
}

/** Deletes a bundle that nobody ever had. Throws `item_not_found`, `not_owner`, `was_sold`. */
export async function deleteBundle(db: Tx, bundleId: string, editorId: string, now: Date): Promise<void> {
  await lockBundle(db, bundleId, editorId)
  const deleted = await db
    .updateTable('bundles')
    .set({ deleted_at: now })
    .where('id', '=', bundleId)
    .where((eb) => eb.not(wasSold('bundle', sql`${bundleId}::uuid`)))
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw new AppError('was_sold')
}
