import { sql } from 'kysely'
import type { Tx } from '../../../../db/client.ts'
import { AppError } from '../../../../errors.ts'
import { countOwn } from '../data.ts'

/** Decimal places of a rank, of which every move into the same gap takes one more; a cursor has to carry them. */
const MAX_PLACES = 60

export type Move = { mediaId: string; beforeMediaId: string | null }

/**
 * Moves an own item to right before another one, or with null to the end. Throws `media_not_found` when either is not
 * theirs or deleted. A move locks the owner's row, so that each of several parallel moves sees the one before it.
 */
export async function reorderMedia(db: Tx, ownerId: string, move: Move, now: Date): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute()
  const named = new Set([move.mediaId, move.beforeMediaId ?? move.mediaId])
  if ((await countOwn(db, ownerId, [...named])) < named.size) throw new AppError('media_not_found')
  if (move.mediaId === move.beforeMediaId) return
  if (await place(db, ownerId, move, now)) return
  await respaceRanks(db, ownerId, now)
  await place(db, ownerId, move, now)
}

/**
 * Ranks the item between its new neighbors: exactly in the middle, or at the top as if it were new at this moment.
 * False when there is no room, because the two stand at the same place or too close.
 */
async function place(db: Tx, ownerId: string, { mediaId, beforeMediaId }: Move, now: Date): Promise<boolean> {
  const others = sql`from media other
    where other.creator_id = ${ownerId} and other.deleted_at is null and other.id <> ${mediaId}`
  const neighbors =
    beforeMediaId === null
      ? sql`select null::numeric as below, (select rank ${others} order by rank, id limit 1) as above`
      : sql`select rank as below, (
          select rank ${others} and (other.rank, other.id) > (next.rank, next.id) order by rank, id limit 1
        ) as above from media next where next.id = ${beforeMediaId}`
  const { numAffectedRows } = await sql`
    update media set rank = case
      when above is null and below is null then rank
      when above is null then greatest(extract(epoch from ${now}::timestamptz), below + 0.000001)
      when below is null then floor(above) - 1
      else (above + below) * 0.5
    end
    from (${neighbors}) neighbors
    where id = ${mediaId} and (
      above is null or below is null or (above > below and scale((above + below) * 0.5) <= ${MAX_PLACES})
    )`.execute(db)
  return numAffectedRows === 1n
}

/** Renumbers the whole library in its order, one apart and older than now. Restorable items keep their place. */
async function respaceRanks(db: Tx, ownerId: string, now: Date): Promise<void> {
  // In the order in which bulk edits hold items, so that neither waits for the other.
  await sql`
    select from media where creator_id = ${ownerId} and deleted_at is null order by id for no key update`.execute(
    db,
  )
  await sql`
    update media set rank = places.rank from (
      select id, extract(epoch from ${now}::timestamptz) - row_number() over (order by rank desc, id desc) as rank from (
        select id, rank from media where creator_id = ${ownerId} and deleted_at is null
        union all
        select id, rank from media where creator_id = ${ownerId} and deleted_at is not null and purged_at is null
      ) kept
    ) places where media.id = places.id`.execute(db)
}
