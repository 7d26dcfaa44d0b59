import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** The people whom a creator named as depicted, by name. */
export function listPerformers(db: Db, creatorId: string) {
  return db
    .selectFrom('performers')
    .select(['id', 'name'])
    .where('creator_id', '=', creatorId)
    .orderBy(sql`lower(name)`)
    .execute()
}

/** One of them by name, whatever its case. */
export async function findPerformer(db: Db, creatorId: string, name: string) {
  const row = await db
    .selectFrom('performers')
    .select(['id', 'name'])
    .where('creator_id', '=', creatorId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  return row ?? null
}

/** Whether all of these distinct ids are people whom this creator named. */
export async function arePerformers(db: Db, creatorId: string, performerIds: string[]): Promise<boolean> {
  if (performerIds.length === 0) return true
  const { found } = await db
    .selectFrom('performers')
    .select((eb) => eb.fn.countAll<number>().as('found'))
    .where('creator_id', '=', creatorId)
    .where('id', '=', sql<string>`any(${performerIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return found === performerIds.length
}
