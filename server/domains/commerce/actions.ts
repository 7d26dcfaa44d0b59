import { sql } from 'kysely'
import type { Tx } from '../../db/client.ts'
import { type HeldChange, requireOwnMedia, requireRoom } from './data.ts'

/** Where it is kept what a bundle or a subscription holds. */
const HELD_IN = {
  bundle: { table: sql.table('bundle_media'), holder: sql.ref('bundle_id') },
  plan: { table: sql.table('subscription_plan_media'), holder: sql.ref('plan_id') },
}

/**
 * Puts items behind what is held, and takes others out; answers those that were not in it, and those that were. Whoever
 * calls it has locked the holder. Throws `invalid_input` naming `mediaIds`.
 */
export async function changeHeld(
  db: Tx,
  kind: keyof typeof HELD_IN,
  id: string,
  { editorId, add, remove }: HeldChange,
): Promise<{ added: string[]; removed: string[] }> {
  const { table, holder } = HELD_IN[kind]
  const mediaIds = await requireOwnMedia(db, editorId, add)
  const removed = await sql<{ media_id: string }>`
    delete from ${table} where ${holder} = ${id} and media_id = any(${remove}::uuid[]) returning media_id`.execute(
    db,
  )
  const { rows } = await sql<{ media_id: string; next: number }>`
    select media_id, max(position) over () + 1 as next from ${table} where ${holder} = ${id}`.execute(db)
  const before = new Set(rows.map(({ media_id }) => media_id))
  const added = mediaIds.filter((mediaId) => !before.has(mediaId))
  if (added.length > 0) {
    requireRoom(rows.length + added.length)
    await sql`
      insert into ${table} (${holder}, media_id, position)
      select ${id}, media_id, ${rows[0]?.next ?? 0}::int + place - 1
      from unnest(${added}::uuid[]) with ordinality as added (media_id, place)`.execute(db)
  }
  return { added, removed: removed.rows.map(({ media_id }) => media_id) }
}
