import { sql } from 'kysely'
import { lowestPriceText } from '../../../contract/money.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { type HeldChange, requireOwnMedia, requireRoom } from './data.ts'
import { centsOf, priceRefusal } from './rules.ts'

type HeldRow = { media_id: string; next: number }
type MediaRow = { media_id: string }

/** The stored content of a bundle or a subscription: read and written by its id. */
const HELD = {
  bundle: {
    read: (id: string) =>
      sql<HeldRow>`select media_id, max(position) over () + 1 as next from bundle_media where bundle_id = ${id}`,
    remove: (id: string, mediaIds: string[]) => sql<MediaRow>`
      delete from bundle_media where bundle_id = ${id} and media_id = any(${mediaIds}::uuid[]) returning media_id`,
    add: (id: string, mediaIds: string[], from: number) => sql`
      insert into bundle_media (bundle_id, media_id, position) select ${id}, ${placed(mediaIds, from)}`,
  },
  plan: {
    read: (id: string) =>
      sql<HeldRow>`select media_id, max(position) over () + 1 as next from subscription_plan_media where plan_id = ${id}`,
    remove: (id: string, mediaIds: string[]) => sql<MediaRow>`
      delete from subscription_plan_media where plan_id = ${id} and media_id = any(${mediaIds}::uuid[])
      returning media_id`,
    add: (id: string, mediaIds: string[], from: number) => sql`
      insert into subscription_plan_media (plan_id, media_id, position) select ${id}, ${placed(mediaIds, from)}`,
  },
}

/** Items in their order, with places from this one on. */
function placed(mediaIds: string[], from: number) {
  return sql`media_id, ${from}::int + place - 1 from unnest(${mediaIds}::uuid[]) with ordinality as added (media_id, place)`
}

/**
 * Appends items to a bundle or plan and removes others; answers the ids actually added and removed. The caller has
 * locked the holder. Throws `invalid_input` naming `mediaIds`.
 */
export async function changeHeld(
  db: Tx,
  kind: keyof typeof HELD,
  id: string,
  { editorId, add, remove }: HeldChange,
): Promise<{ added: string[]; removed: string[] }> {
  const held = HELD[kind]
  const mediaIds = await requireOwnMedia(db, editorId, add)
  const removed = await held.remove(id, [...remove]).execute(db)
  const { rows } = await held.read(id).execute(db)
  const before = new Set(rows.map(({ media_id }) => media_id))
  const added = mediaIds.filter((mediaId) => !before.has(mediaId))
  if (added.length > 0) {
    requireRoom(rows.length + added.length)
    await held.add(id, added, rows[0]?.next ?? 0).execute(db)
  }
  return { added, removed: removed.rows.map(({ media_id }) => media_id) }
}

/** The cents of a price that something may be sold at; throws `price_too_low`, which names the lowest one. */
export function requirePrice(
  { MIN_PRICE_CENTS: least }: Pick<Context['config'], 'MIN_PRICE_CENTS'>,
  price: string,
): number {
  const cents = centsOf(price)
  const refused = priceRefusal(cents, least)
  if (refused) throw new AppError(refused, { details: { price: lowestPriceText(least) } })
  return cents
}
