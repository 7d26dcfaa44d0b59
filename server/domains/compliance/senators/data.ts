import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** The senators of every state by its code, both seats in their order. */
export async function listSenators(db: Db) {
  return db
    .selectFrom('senators')
    .select('state')
    .select(sql<string>`to_char(min(correct_on), 'YYYY-MM-DD')`.as('correct_on'))
    .select(
      sql<{ name: string; telephone: string }[]>`json_agg(
        json_build_object('name', name, 'telephone', telephone) order by seat
      )`.as('seats'),
    )
    .groupBy('state')
    .orderBy('state')
    .execute()
}
