import { sql } from 'kysely'
import type { Db } from '../../../../db/client.ts'

/** How many of these items are the person's own and not deleted. */
export async function countOwn(db: Db, ownerId: string, mediaIds: string[]): Promise<number> {
  const { own } = await db
    .selectFrom('media')
    .select((eb) => eb.fn.countAll<number>().as('own'))
    .where('id', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .where('creator_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return own
}
