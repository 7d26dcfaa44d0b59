import { sql } from 'kysely'
import type { Db, Tx } from '../../../../db/client.ts'

/**
 * An upload to a signed address and how many of its bytes are stored; null when it is gone, and while its owner is
 * suspended or wants to be deleted, as the address needs no session that could end.
 */
export async function findArrived(db: Db, uploadId: string) {
  const row = await db
    .selectFrom('uploads')
    .innerJoin('users', 'users.id', 'uploads.owner_id')
    .select(['owner_id as ownerId', 'status', 'reserved_bytes as reservedBytes', 'sendings', 'sending'])
    .select(
      sql<number>`(select coalesce(sum(bytes), 0)::bigint from upload_chunks where upload_id = uploads.id)`.as(
        'arrivedBytes',
      ),
    )
    .where('uploads.id', '=', uploadId)
    .where('users.hidden_at', 'is', null)
    .where('kind', '=', 'signed')
    .executeTakeFirst()
  return row ?? null
}

/** The same, held until the transaction ends: counted only once nobody else can add to it. */
export async function lockArrived(db: Tx, uploadId: string) {
  await db.selectFrom('uploads').select('id').where('id', '=', uploadId).forUpdate().execute()
  return findArrived(db, uploadId)
}
